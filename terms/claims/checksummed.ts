const ADDRESS_BYTES = 20;
const SMALL_A = 97;
const TO_CAPITAL = -32;
const HEX_DIGITS = new TextEncoder().encode("0123456789abcdef");

/** Writes the 40 hex digits of an address, with capitals by EIP-55, as ASCII codes. */
export function writeChecksummed(
  keccak: (bytes: Uint8Array) => Uint8Array,
  address: Uint8Array,
  text: Uint8Array,
  start: number,
): void {
  for (let byte = 0; byte < ADDRESS_BYTES; byte++) {
    text[start + 2 * byte] = HEX_DIGITS[address[byte]! >> 4]!;
    text[start + 2 * byte + 1] = HEX_DIGITS[address[byte]! & 15]!;
  }
  const hash = keccak(text.subarray(start, start + 2 * ADDRESS_BYTES));
  for (let digit = 0; digit < 2 * ADDRESS_BYTES; digit++) {
    const nibble = digit % 2 === 0 ? hash[digit >> 1]! >> 4 : hash[digit >> 1]! & 15;
    if (nibble >= 8 && text[start + digit]! >= SMALL_A) text[start + digit]! += TO_CAPITAL;
  }
}
