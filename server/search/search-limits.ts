/** Longest text that is searched for; the address of a batch fits. */
export const SEARCH_CHARS_MAX = 300;
