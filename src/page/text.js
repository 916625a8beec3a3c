// Formats values for people, and creates elements without HTML: names from outside stay text.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function duration(seconds) {
  if (seconds === -1) return "unlimited";
  const past = seconds < 0;
  let rest = Math.abs(Math.round(seconds));
  const days = Math.floor(rest / 86400);
  rest -= days * 86400;
  const two = (n) => String(n).padStart(2, "0");
  const clock = `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  return (past ? "-" : "") + (days ? `${days} d ` : "") + clock;
}

const dateAndTime = new Intl.DateTimeFormat([], {month: "short", day: "numeric", hour: "2-digit", minute: "2-digit"});

export function moment(seconds) {
  if (seconds < 0) return "–";
  return dateAndTime.format(seconds * 1000);
}

export const number = (value) => value.toLocaleString();
