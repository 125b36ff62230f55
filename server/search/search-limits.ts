/** Max length of a search text. A batch's console URL fits. */
export const SEARCH_CHARS_MAX = 300;
