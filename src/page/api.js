// Asks the scheduler; every request goes to where the page came from.

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// told(names): which resource managers have not reported yet, with every reply.
let told = () => {};
export function whoeverIsSilent(callback) { told = callback; }

// ask("showq", [], {list: "idle", limit: 50}): the reply, or an ApiError with the scheduler's words.
export async function ask(command, operands = [], query = {}, signal = undefined) {
  const path = [command, ...operands].map(encodeURIComponent).join("/");
  const words = new URLSearchParams(query).toString();
  const answer = await fetch(`api/v1/${path}${words ? "?" + words : ""}`, {signal});
  let reply;
  try {
    reply = await answer.json();
  } catch {
    throw new ApiError(answer.status, `no answer from the scheduler (status ${answer.status})`);
  }
  if (reply.error) throw new ApiError(reply.error.status, reply.error.message);
  told(reply.not_reported ?? []);
  return reply;
}
