import fc from "fast-check";
import { getAddress } from "viem";
import { expect, test } from "vitest";
import { compileKeccak } from "./compiled-keccak";
import { addressError } from "./values/address-text";

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString("hex")}`));
const isMixed = (text: string) => /[a-f]/.test(text) && /[A-F]/.test(text.slice(2));

test("the compiled hash accepts every right checksum, and rejects one wrong letter", async () => {
  await compileKeccak();
  fc.assert(
    fc.property(address, fc.nat(), (right, chosen) => {
      expect(addressError(right)).toBeNull();
      const letters = [...right].flatMap((char, at) => (at > 1 && /[a-zA-Z]/.test(char) ? [at] : []));
      const at = letters[chosen % letters.length]!;
      const letter = right[at]!;
      const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      const wrong = right.slice(0, at) + other + right.slice(at + 1);
      fc.pre(isMixed(wrong));
      expect(addressError(wrong)).toBe("invalid_checksum");
    }),
    { numRuns: 1000 },
  );
});
