import { expect, test } from "vitest";
import { limitsOf } from "./service.ts";

const documentWith = (transfers: unknown, minimums?: unknown) => {
  const schema = { properties: { transfers } };
  const requestBody = { content: { "application/json": { schema } } };
  const post = { requestBody, "x-minimumPoints": minimums };
  return JSON.stringify({ paths: { "/v1/contracts/{contractAddress}/batches": { post } } });
};
const DEFAULTS = { PHASE2_POINTS: "0.01", PHASE2_GOLD: "0.000001" };

test.each([
  [{ maxItems: 5 }, undefined, 5, DEFAULTS],
  [
    { maxItems: 10_000 },
    { PHASE2_POINTS: "0.5", PHASE2_GOLD: "2" },
    10_000,
    { PHASE2_POINTS: "0.5", PHASE2_GOLD: "2" },
  ],
  [{ maxItems: 0 }, null, 2_000, DEFAULTS],
  [{ maxItems: -1 }, 1, 2_000, DEFAULTS],
  [{ maxItems: 1.5 }, [], 2_000, DEFAULTS],
  [{ maxItems: "5" }, {}, 2_000, DEFAULTS],
  [{ maxItems: 2 ** 60 }, {}, 2_000, DEFAULTS],
  [{ maxItems: 2 ** 40 }, {}, 10_000, DEFAULTS],
  [{}, { PHASE2_POINTS: 1, PHASE2_GOLD: "9".repeat(100) }, 2_000, DEFAULTS],
  [{}, "0.5", 2_000, DEFAULTS],
])(
  "the limits in the document are read where they can be, and bounded: %j, %j",
  (transfers, minimums, transfersMax, minimumPoints) => {
    expect(limitsOf(documentWith(transfers, minimums))).toMatchObject({ transfersMax, minimumPoints });
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
