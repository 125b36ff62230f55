const SINGLES = Symbol.for("point-transfer-batches.singles");

/** Settings, pools and whatever else exists once per process are made anew on their next use. */
export function forgetSingles(): void {
  delete (globalThis as { [SINGLES]?: unknown })[SINGLES];
}
