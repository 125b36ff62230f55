import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { database } from "@/server/kernel/database";
import { batchOf } from "@/testing/factories";
import { callApi } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";

const { context, newContract } = useLedger({ serves: true });
beforeAll(() => {
  vi.stubEnv("DATABASE_POOL_MAX", "1");
});
afterAll(() => vi.unstubAllEnvs());

/** What a pooler may do between any two statements: the server forgets what the session has prepared. */
const resetSession = () => database().sql.unsafe("deallocate all");

async function newCaller() {
  const contractAddress = await newContract();
  const scopes = ["batches:read", "batches:write"] as const;
  const asked = { contractAddress, name: "reset", scopes: [...scopes], expiresAt: null };
  const { token } = await createAccessToken(context(), asked);
  const { pointType, transfers } = batchOf(contractAddress, [
    [1, "1.5"],
    [2, "2"],
  ]);
  const batches = `/v1/contracts/${contractAddress}/batches`;
  return { batches, token, body: { pointType, transfers, secondsToFinalize: 3600 } };
}

/** Sends requests of one batch, each after a reset. @returns their replies */
async function walk({ batches, token, body }: Awaited<ReturnType<typeof newCaller>>, id: string) {
  const replies = [];
  const named = body.transfers.map((transfer, row) => ({ ...transfer, reference: `${id} ${row}` }));
  for (const [method, path, sent] of [
    ["PUT", `${batches}/${id}`, { ...body, metadata: { order: '"7"' } }],
    ["PUT", `${batches}/${id}`, { ...body, metadata: { order: '"7"' } }],
    ["GET", `${batches}/${id}`],
    ["GET", `${batches}?limit=1`],
    ["DELETE", `${batches}/${id}`],
    ["POST", batches, body],
    // In a transaction, after the statement that reads the token has met the reset.
    ["POST", batches, { ...body, transfers: named }],
  ] as const) {
    await resetSession();
    const { status, body: reply } = await callApi(token, method, path, sent);
    replies.push({ status, reply: reply as object });
  }
  return replies;
}

test("after a reset of the database session each request has its reply, and stores what was sent", async () => {
  const caller = await newCaller();
  // The first walk prepares the statements, which is when no parameter is encoded before a reset.
  for (const id of ["first", "second"])
    expect(await walk(caller, id)).toMatchObject([
      { status: 200, reply: { batchId: id } },
      { status: 200, reply: { batchId: id } },
      { status: 200, reply: { batch: { transfers: caller.body.transfers, metadata: { order: '"7"' } } } },
      { status: 200, reply: { batch: [{ id }] } },
      { status: 200 },
      { status: 200 },
      { status: 200 },
    ]);
});
