/** Each endpoint costs every batch of its contract a row. */
export const ENDPOINTS_MAX = 10;
export const URL_CHARS_MAX = 2048;

/** How long the old secret signs beside the new one, when the caller says nothing else. */
export const OVERLAP_SECONDS_DEFAULT = 86_400;
export const OVERLAP_SECONDS_MAX = 604_800;
