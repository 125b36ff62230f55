/** The server and the browser ask for the same, so that they share a cache key. */
export const RECENT_BATCHES = 10;
