import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalBatchText as textOfService } from "@/server/batches/submit/digest";
import { batchDigest, canonicalBatchText } from "./digest.ts";
import type { NewBatch } from "./shapes.ts";

const hexDigit = fc.constantFrom(..."0123456789abcdefABCDEF");
const address = fc.array(hexDigit, { minLength: 40, maxLength: 40 }).map((digits) => `0x${digits.join("")}`);
const digits = (least: number, most: number) =>
  fc
    .array(fc.constantFrom(..."0000123456789"), { minLength: least, maxLength: most })
    .map((each) => each.join(""));
const points = fc
  .tuple(digits(1, 26), fc.option(digits(1, 12)))
  .map(([whole, fraction]) => `${whole.replace(/^0+(?=.)/, "")}${fraction === null ? "" : `.${fraction}`}`);
const reference = fc.option(fc.stringMatching(/^[!-~]([ -~]{0,62}[!-~])?$/), { nil: undefined, freq: 1 });
const value = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
const batch: fc.Arbitrary<NewBatch> = fc.record({
  pointType: fc.constantFrom("PHASE2_POINTS" as const, "PHASE2_GOLD" as const),
  secondsToFinalize: fc.constantFrom(undefined, 1, 3600, 86_400),
  metadata: fc.option(fc.dictionary(fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/), value, { maxKeys: 5 })),
  transfers: fc.array(fc.record({ toAddress: address, points, reference }), { minLength: 1, maxLength: 20 }),
});

test("the text and digest of any batch equal the service's", async () => {
  await fc.assert(
    fc.asyncProperty(address, batch, async (contractAddress, sent) => {
      const text = textOfService({ contractAddress, ...sent });
      expect(canonicalBatchText(contractAddress, sent)).toBe(text);
      expect(await batchDigest(contractAddress, sent)).toBe(createHash("sha256").update(text).digest("hex"));
    }),
  );
});
