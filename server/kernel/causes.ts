const DEPTH_MAX = 4;

/** An error and its causes, outermost first. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < DEPTH_MAX; at = at.cause, depth++) yield at;
}
