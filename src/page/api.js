// Sends requests to the scheduler, at the address the page came from.

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// told(names, stopped): called with each reply, with the resource managers that have not reported
// yet, and a sentence that scheduling is stopped, if it is.
let told = () => {};
export function whoeverIsSilent(callback) { told = callback; }

// ask("showq", [], {list: "idle", limit: 50}): resolves to the reply, or throws an ApiError.
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
  told(reply.not_reported ?? [], reply.stopped);
  return reply;
}
