import { expect, test } from "vitest";
import { createEndpoint } from "@/server/webhooks/endpoints";
import { narrowDocument } from "@/testing/document/narrow-document";
import { document } from "@/testing/document/operations";
import type { Schema } from "@/testing/document/schema";
import { runSpecmatic } from "@/testing/document/specmatic";
import { startDocumentWorld } from "@/testing/document/world";
import { batchOf, finalize, submit, testContext, wallet } from "@/testing/factories";

const UNLIMITED = {
  RATE_LIMIT_PER_MINUTE: "0",
  TOKEN_FAILURES_PER_MINUTE: "0",
  SIGN_IN_RATE_LIMIT_PER_MINUTE: "0",
  PUBLIC_RATE_LIMIT_PER_MINUTE: "0",
  SIGN_IN_FAILURES_PER_MINUTE: "0",
};
const WEBHOOK_RULES = { serviceSecret: "auth-secret-of-this-test-run", allowPrivate: false };
/** Fewer would mean that specmatic no longer understands the document. */
const REQUESTS_MIN = 1000;

test.each([
  ["host", "accessToken"],
  ["next", "operatorToken"],
] as const)(
  "requests that specmatic generates from the document get documented replies, through %s by %s",
  async (door, securityScheme) => {
    const world = await startDocumentWorld(door, UNLIMITED);
    try {
      const { contract, db, tokens } = world;
      const newWebhook = async () => {
        const input = {
          contractAddress: contract,
          url: "https://example.com/hook",
          events: ["batch.held"] as const,
        };
        return (await createEndpoint(testContext(db), input, WEBHOOK_RULES)).endpoint.id;
      };
      const toCancel = await submit(db, batchOf(contract, [[1, "1"]], { secondsToFinalize: 3600 }));
      const paid = await submit(db, batchOf(contract, [[1, "1"]]));
      await finalize(db);
      const narrowed = narrowDocument(document, {
        contractAddress: contract,
        batchIds: { get: ["pending", "cancelled"], delete: [toCancel] },
        finalized: { batchId: paid, recipient: wallet(1) },
        webhookIds: {
          "{webhookId}": await newWebhook(),
          "rotate-secret": await newWebhook(),
          test: await newWebhook(),
        },
        securityScheme,
      });
      const { own: accessToken, operator: operatorToken } = tokens;
      const report = await runSpecmatic(narrowed, world.app.url, { accessToken, operatorToken });
      console.warn(`specmatic through ${door}: ${report.run} tests\n${report.table}`);
      expect(report.failures).toEqual([]);
      expect(report.failed).toBe(0);
      expect(report.run).toBeGreaterThanOrEqual(REQUESTS_MIN);
    } finally {
      await world.stop();
    }
  },
);

test("specmatic detects a document that does not match the replies", async () => {
  const world = await startDocumentWorld("host", UNLIMITED);
  try {
    const lying = narrowDocument(document, {
      contractAddress: world.contract,
      batchIds: { get: [], delete: [] },
      finalized: { batchId: "", recipient: "" },
      webhookIds: { "{webhookId}": "", "rotate-secret": "", test: "" },
      securityScheme: "accessToken",
    });
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
