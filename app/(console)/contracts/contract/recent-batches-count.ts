/** Used by the server and the browser, so that they share a cache key. */
export const RECENT_BATCHES = 10;
