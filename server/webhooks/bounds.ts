/** Every change of a batch writes a row for each endpoint of its contract. */
export const ENDPOINTS_MAX = 10;
export const URL_CHARS_MAX = 2048;

/** How long the old secret signs next to the new one by default. */
export const OVERLAP_SECONDS_DEFAULT = 86_400;
export const OVERLAP_SECONDS_MAX = 604_800;
