import fc from "fast-check";
import { getAddress } from "viem";
import { expect, test } from "vitest";
import { compileKeccak } from "../compiled-keccak";
import { addressDetail, addressError, addressKey } from "./address-text";
import { addressFromBytes, addressToBytes } from "./addresses";

/** The examples in EIP-55. */
const EIP55 = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

test("addresses are written as in the examples of EIP-55, and read in one letter case too", () => {
  for (const address of EIP55) {
    expect(addressFromBytes(addressToBytes(address.toLowerCase()))).toBe(address);
    for (const form of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
      expect(addressError(form)).toBeNull();
  }
});

test.each([
  ["0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD", "Rootstock (EIP-1191)"],
  ["0xFb6916095cA1Df60bb79ce92cE3EA74c37c5d359", "Rootstock (EIP-1191)"],
  ["0x5aAeb6053F3e94c9b9A09F33669435E7EF1BEaEd", "Rootstock Testnet (EIP-1191)"],
])("%s is refused, and the reply says that it has the checksum of %s", (address, chain) => {
  expect(addressError(address)).toBe("invalid_checksum");
  expect(addressDetail(address, "invalid_checksum")).toContain(
    `fits that of ${chain}; send it in lower case`,
  );
  const mistyped = address.replace(/[aA]/, (letter) => (letter === "a" ? "A" : "a"));
  expect(addressDetail(mistyped, "invalid_checksum")).toBe(
    "fails its EIP-55 checksum; check it, or send it in lower case",
  );
});

test.each([
  ["JavaScript", async () => undefined],
  ["WebAssembly", compileKeccak],
])("in %s a checksum is accepted, and rejected with a letter in the wrong case", async (_, prepare) => {
  await prepare();
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.nat(), (bytes, chosen) => {
      const right = getAddress(`0x${Buffer.from(bytes).toString("hex")}`);
      const letters = [...right].flatMap((char, at) => (at > 1 && /[a-zA-Z]/.test(char) ? [at] : []));
      const at = letters[chosen % letters.length]!;
      const other = /[a-z]/.test(right[at]!) ? right[at]!.toUpperCase() : right[at]!.toLowerCase();
      const wrong = right.slice(0, at) + other + right.slice(at + 1);
      fc.pre(/[a-f]/.test(wrong) && /[A-F]/.test(wrong));
      expect(addressError(wrong)).toBe("invalid_checksum");
      expect(addressError(right)).toBeNull();
    }),
    { numRuns: 200 },
  );
});

const VALID = `0x${"1".repeat(40)}`;
test.each([
  ...["", "0x", "vitalik.eth", "0x1", "\ud800", "XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS", "a".repeat(100_000)],
  ...[VALID.slice(0, -1), `${VALID}1`, VALID.replace("x", "X"), VALID.slice(2), ` ${VALID}`, `${VALID}\n`],
  ...[`${VALID}\u0000`, `0x${"g".repeat(40)}`, `0x${"１".repeat(40)}`, `0x0x${"1".repeat(38)}`],
])("no other text is an address (%#)", (text) => {
  expect(addressError(text)).toBe("invalid_address");
});

test("any 20 bytes survive a round trip through a valid address, under a single key", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const address = addressFromBytes(bytes);
      expect(addressError(address)).toBeNull();
      expect(addressToBytes(address)).toEqual(Buffer.from(bytes));
      expect(addressKey(address)).toBe(`0x${Buffer.from(bytes).toString("hex")}`);
    }),
  );
});
