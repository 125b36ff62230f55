/** Saved views per person. */
export const VIEWS_MAX = 50;
export const VIEW_NAME_CHARS_MAX = 60;
export const VIEW_QUERY_CHARS_MAX = 2000;
