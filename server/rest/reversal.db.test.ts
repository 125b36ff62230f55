import { describe, expect, test } from "vitest";
import { createAccessToken, DEFAULT_SCOPES, TOKEN_SCOPES, type TokenScope } from "@/server/auth/tokens";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { batchOf, LIMITS, wallet } from "@/testing/factories";
import { callApi } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";

const { context, newContract, submit, finalize } = useLedger({ serves: true });

let wallets = 0xd000;

async function paid(scopes: readonly TokenScope[] = TOKEN_SCOPES) {
  const contractAddress = await newContract();
  const to = [wallet(wallets++), wallet(wallets++)] as const;
  const rows = [
    [to[0], "10.5"],
    [to[1], "2"],
  ] as const;
  await submit(batchOf(contractAddress, rows, { batchId: "paid" }));
  await finalize();
  const asked = { contractAddress, name: "test", scopes: [...scopes], expiresAt: null };
  const { token } = await createAccessToken(context("ops"), asked);
  const send = (method: string, path: string, body?: object) =>
    callApi(token, method, `/v1/contracts/${contractAddress}/batches${path}`, body);
  return { contractAddress, to, send };
}

const WAIT = { secondsToFinalize: 3600 };

describe("POST …/reversal", () => {
  test("needs the scope batches:reverse, which tokens do not have by default", async () => {
    expect(DEFAULT_SCOPES).not.toContain("batches:reverse");
    const { send } = await paid(DEFAULT_SCOPES);
    const refused = await send("POST", "/paid/reversal", {});
    expect(refused).toMatchObject({ status: 403, body: { code: "missing_scope" } });
    const alone = await paid(["batches:reverse"]);
    expect((await alone.send("POST", "/paid/reversal", WAIT)).status).toBe(200);
  });

  test("with dryRun stores nothing, and a second reversal is 422 with the first one's ID, status and due time", async () => {
    const { send, to } = await paid();
    const dryRun = await send("POST", "/paid/reversal?dryRun=true", { ...WAIT, toAddresses: [to[1]] });
    expect(dryRun.body).toMatchObject({ dryRun: true, points: "2", transferCount: 1, reverses: "paid" });
    expect((await send("GET", "/paid")).body.batch.reversedBy).toBeUndefined();
    for (const replayed of [false, true]) {
      const { body, headers } = await send("POST", "/paid/reversal", { ...WAIT, reversalId: "back" });
      expect(body).toEqual({ success: true, batchId: "back", replayed });
      expect(headers.get("Idempotent-Replayed")).toBe(replayed ? "true" : null);
    }
    const second = await send("POST", "/paid/reversal", WAIT);
    expect(second).toMatchObject({ status: 422, body: { code: "already_reversed" } });
    expect(second.body.reversed).toHaveLength(2);
    const { finalizeAt } = (await send("GET", "/back")).body.batch;
    expect(second.body.detail).toContain("(by back, PENDING)");
    const reversal = { batchId: "back", batchStatus: "PENDING", finalizeAt };
    expect(second.body.reversed).toMatchObject([reversal, reversal]);
  });

  test("only a reversal has `reverses`, and only what it takes back has `reversedBy` and `reversals` with their status", async () => {
    const { contractAddress, send } = await paid();
    const before = (await send("GET", "/paid")).body.batch;
    expect(before).not.toHaveProperty("reverses");
    expect(before).not.toHaveProperty("reversedBy");
    await send("POST", "/paid/reversal", { ...WAIT, reversalId: "back" });
    const reversal = (await send("GET", "/back")).body.batch;
    expect(reversal).toMatchObject({ reverses: "paid", points: "12.5" });
    const { id, status, finalizeAt, updatedAt, points } = reversal;
    const reversals = [{ id, status, finalizeAt, updatedAt, points }];
    expect(status).toBe("PENDING");
    expect((await send("GET", "/paid")).body.batch).toEqual({ ...before, reversedBy: ["back"], reversals });
    const listed: { id: string }[] = (await send("GET", "")).body.batch;
    expect(listed.find(({ id }) => id === "back")).toHaveProperty("reverses", "paid");
    expect(listed.find(({ id }) => id === "paid")).not.toHaveProperty("reverses");
    await send("DELETE", "/back");
    expect((await send("GET", "/paid")).body.batch).toEqual(before);
    const again = { contractAddress, batchId: "paid", reversalId: "again", secondsToFinalize: 0 };
    await reverseBatch(context(), LIMITS, again);
    await finalize();
    const { batch } = (await send("GET", "/paid")).body;
    expect(batch).toMatchObject({ reversedBy: ["again"], reversals: [{ id: "again", status: "FINALIZED" }] });
  });
});
