import { expect, test } from "vitest";
import { limitsOf } from "./service.ts";

const documentWith = (transfers: unknown) => {
  const schema = { properties: { transfers } };
  const post = { requestBody: { content: { "application/json": { schema } } } };
  return JSON.stringify({ paths: { "/v1/contracts/{contractAddress}/batches": { post } } });
};
const DEFAULTS = { PHASE2_POINTS: "0.01", PHASE2_GOLD: "0.000001" };

test.each([
  [{ maxItems: 5 }, 5, DEFAULTS],
  [
    { maxItems: 10_000, "x-minimumPoints": { PHASE2_POINTS: "0.5", PHASE2_GOLD: "2" } },
    10_000,
    { PHASE2_POINTS: "0.5", PHASE2_GOLD: "2" },
  ],
  [{ maxItems: 0 }, 2_000, DEFAULTS],
  [{ maxItems: -1 }, 2_000, DEFAULTS],
  [{ maxItems: 1.5 }, 2_000, DEFAULTS],
  [{ maxItems: "5" }, 2_000, DEFAULTS],
  [{ maxItems: 2 ** 60 }, 2_000, DEFAULTS],
  [{ maxItems: 2 ** 40 }, 10_000, DEFAULTS],
  [{ "x-minimumPoints": { PHASE2_POINTS: 1, PHASE2_GOLD: "9".repeat(100) } }, 2_000, DEFAULTS],
  [{ "x-minimumPoints": "0.5" }, 2_000, DEFAULTS],
  [{}, 2_000, DEFAULTS],
])(
  "the limits in the document are read where they can be, and bounded: %j",
  (transfers, transfersMax, minimumPoints) => {
    expect(limitsOf(documentWith(transfers))).toMatchObject({ transfersMax, minimumPoints });
  },
);

test.each([
  "",
  "null",
  "1",
  "[]",
  "{}",
  '{"paths":[]}',
  documentWith(null),
  "up to 0 transfers of at least 1 PHASE2_POINTS",
])("a document of something else has no limits: %s", (text) => expect(limitsOf(text)).toBeNull());
