/** Why the service cannot start and what to do, in one line. */
export class StartError extends Error {
  override name = "StartError";
}
