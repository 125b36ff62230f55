/** The forms of addresses, batch ids and amounts: for the API, its document and the browser. Import nothing here. */

/** `0x` and 40 hex digits, in any letter case. The EIP-55 checksum is checked separately. */
export const ADDRESS_PATTERN = /^0x[0-9a-fA-F]{40}$/;
/**
 * An id that a caller may choose: 1 to 64 characters, but not `.` or `..`, which URL clients drop from a path. It has no
 * lookahead, which tools that read the OpenAPI document may not support.
 */
export const BATCH_ID_PATTERN =
  /^([A-Za-z0-9_:~-][A-Za-z0-9._:~-]{0,63}|\.[A-Za-z0-9_:~-][A-Za-z0-9._:~-]{0,62}|\.\.[A-Za-z0-9._:~-]{1,62})$/;
/** An amount: no sign, exponent, spaces or grouping, at most 26 digits before the point and 12 after. */
export const POINTS_PATTERN = /^(0|[1-9][0-9]{0,25})(\.[0-9]{1,12})?$/;
/** A UUID of any version, in lower case as the service writes it. */
export const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
