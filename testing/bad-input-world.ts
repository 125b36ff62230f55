import type { Database } from "@/db/client";
import { createAccessToken, TOKEN_SCOPES, type TokenScope } from "@/server/auth/tokens";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { listBatches } from "@/server/batches/list/list-batches";
import type { BadInputWorld } from "./bad-request";
import { batchOf, newContract, submit, testContext } from "./factories";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const OTHER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const UNFUNDED = "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb";
const UNREGISTERED = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

/** Creates what the bad requests need, in an empty database. */
export async function makeBadInputWorld(db: Database): Promise<BadInputWorld> {
  await newContract(db, { address: CONTRACT });
  await newContract(db, { address: OTHER });
  await newContract(db, { address: UNFUNDED, issuance: "PREFUNDED" });
  for (const contract of [CONTRACT, OTHER]) {
    for (const batchId of ["pending", "cancelled", "second", "third"]) {
      await submit(db, batchOf(contract, [[1, "10.5"]], { batchId, secondsToFinalize: 3600 }));
    }
    await cancelBatch(testContext(db), { contractAddress: contract, batchId: "cancelled" });
  }
  const token = async (contractAddress: string, scopes: TokenScope[], expiresAt: string | null = null) =>
    (await createAccessToken(testContext(db, "ops"), { contractAddress, name: "test", scopes, expiresAt }))
      .token;
  const cursor = async (query: object) =>
    (await listBatches(testContext(db), { contractAddress: CONTRACT, limit: 1, ...query })).cursor!;
  const both: TokenScope[] = ["batches:read", "batches:write"];
  const revoked = await createAccessToken(testContext(db, "ops"), {
    contractAddress: CONTRACT,
    name: "revoked",
    scopes: both,
    expiresAt: null,
  });
  await db.sql`update access_tokens set revoked_at = now() where id = ${revoked.id}`;
  await new Promise((resolve) => setTimeout(resolve, 5));
  return {
    contract: CONTRACT,
    other: OTHER,
    unfunded: UNFUNDED,
    unregistered: UNREGISTERED,
    tokens: {
      own: await token(CONTRACT, [...TOKEN_SCOPES]),
      read: await token(CONTRACT, ["batches:read"]),
      write: await token(CONTRACT, ["batches:write"]),
      other: await token(OTHER, both),
      unfunded: await token(UNFUNDED, both),
      expired: await token(CONTRACT, both, "2026-01-01T00:00:00Z"),
      revoked: revoked.token,
    },
    cursors: {
      plain: await cursor({}),
      ascending: await cursor({ sort: "ASC" }),
      pending: await cursor({ statuses: ["PENDING"] }),
      other: await cursor({ contractAddress: OTHER }),
    },
  };
}
