import { expect, test } from "vitest";
import { narrowDocument } from "../testing/document/narrow-document";
import { document } from "../testing/document/operations";
import type { Schema } from "../testing/document/schema-breaks";
import { runSpecmatic } from "../testing/document/specmatic";
import { startDocumentWorld } from "../testing/document/world";
import { batchOf, submit } from "../testing/factories";

const UNLIMITED = { RATE_LIMIT_PER_MINUTE: "0", SIGN_IN_RATE_LIMIT_PER_MINUTE: "0" };
/** Fewer would mean that the generator no longer understands the document. */
const REQUESTS_MIN = 1000;

test.each([
  ["host", "accessToken"],
  ["next", "operatorToken"],
] as const)(
  "what specmatic makes of the document is answered as it says, at the %s door by %s",
  async (door, securityScheme) => {
    const world = await startDocumentWorld(door, UNLIMITED);
    try {
      const { contract, db, tokens } = world;
      const toCancel = await submit(db, batchOf(contract, [[1, "1"]], { secondsToFinalize: 3600 }));
      const narrowed = narrowDocument(document, {
        contractAddress: contract,
        batchIds: { get: ["pending", "cancelled"], delete: [toCancel] },
        securityScheme,
      });
      const { own: accessToken, operator: operatorToken } = tokens;
      const report = await runSpecmatic(narrowed, world.app.url, { accessToken, operatorToken });
      console.warn(`specmatic at the ${door} door: ${report.run} tests\n${report.table}`);
      expect(report.failures).toEqual([]);
      expect(report.failed).toBe(0);
      expect(report.run).toBeGreaterThanOrEqual(REQUESTS_MIN);
    } finally {
      await world.stop();
    }
  },
);

test("a document that says what no reply has is found out", async () => {
  const world = await startDocumentWorld("host", UNLIMITED);
  try {
    const existing = { contractAddress: world.contract, batchIds: { get: [], delete: [] } };
    const lying = narrowDocument(document, { ...existing, securityScheme: "accessToken" });
    const path = "/v1/contracts/{contractAddress}/point-balances";
    lying.paths = { [path]: lying.paths[path]! };
    const { PointBalances } = lying.components.schemas as Record<string, Schema>;
    PointBalances!.properties!.debts = { type: "string" };
    PointBalances!.required!.push("debts");
    const report = await runSpecmatic(lying, world.app.url, { accessToken: world.tokens.own });
    expect(report.failed).toBe(1);
    expect(report.failures[0]).toContain("debts");
  } finally {
    await world.stop();
  }
});
