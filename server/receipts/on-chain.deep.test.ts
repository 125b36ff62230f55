import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { nextAddress, wallet } from "@/testing/factories";
import { type DeployedContract, deploy } from "@/testing/local-chain";
import { toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import type { ReceiptOut } from "./schema";

const { context, newContract, submit, finalize } = useLedger({ serves: true });
const OWNER = wallet(1000);
const AMOUNT = "12345678901234567890.000000000001";

/** The contract that docs/verify.md shows. */
const SOURCE = /^```solidity\n([\s\S]*?)^```$/m.exec(readFileSync("docs/verify.md", "utf8"))![1]!;

let sender: string;
let batchId: string;
let receipt: ReceiptOut;
let chain: DeployedContract;

/** As a recipient's backend gets it. */
async function fetchReceipt(address: string): Promise<ReceiptOut> {
  const { handleRest } = await import("../rest/handler");
  const { token } = await createAccessToken(context("ops"), {
    contractAddress: sender,
    name: "t",
    scopes: ["batches:read"],
    expiresAt: null,
  });
  const reply = await handleRest(
    toRestRequest({
      method: "GET",
      path: `/v1/contracts/${sender}/batches/${batchId}/receipts/${address}`,
      headers: [["Authorization", `Bearer ${token}`]],
      body: [],
    }),
  );
  return ((await reply.json()) as { receipt: ReceiptOut }).receipt;
}

beforeAll(async () => {
  sender = await newContract();
  const rows = [[1, "1"] as const, [2, AMOUNT] as const, [3, "10.5"] as const, [4, "2"] as const];
  batchId = await submit(sender, rows, { batchId: "payout~1:a" });
  await finalize();
  receipt = await fetchReceipt(wallet(2));
  chain = await deploy(SOURCE, [sender], OWNER);
  await chain.call("publish", [batchId, receipt.root]);
});

interface Change {
  /** Which value of the leaf, after the contract, is replaced. */
  at?: number;
  to?: string;
  proof?: string[];
}
function isProven({ at, to, proof = receipt.proof }: Change, on = chain): Promise<unknown> {
  const [id, type, position, recipient, amount] = receipt.leaf
    .slice(1)
    .map((value, each) => (each === at ? to! : value));
  return on.call("isProven", [id, type, BigInt(position!), recipient, BigInt(amount!), proof]);
}

test("the contract in docs/verify.md accepts a receipt of the API on an EVM, and no changed one", async () => {
  expect(receipt.proof).toHaveLength(2);
  expect(await isProven({})).toBe(true);
  const changes: Record<string, Change> = {
    "another batch": { at: 0, to: "payout~1:b" },
    "another point type": { at: 1, to: "PHASE2_GOLD" },
    "another position": { at: 2, to: "2" },
    "another address": { at: 3, to: wallet(3) },
    "a changed amount": { at: 4, to: String(BigInt(receipt.leaf[5]!) + 1n) },
    "a shortened proof": { proof: receipt.proof.slice(0, -1) },
    "an empty proof": { proof: [] },
    "another transfer's proof": { proof: [...receipt.proof].reverse() },
  };
  for (const [name, change] of Object.entries(changes)) expect(await isProven(change), name).toBe(false);
  const other = await deploy(SOURCE, [nextAddress()], OWNER);
  expect(await isProven({}, other), "an unpublished root").toBe(false);
  await other.call("publish", [batchId, receipt.root]);
  expect(await isProven({}, other), "another sender").toBe(false);
});

test("only its owner publishes roots, and a published root never changes", async () => {
  await expect(chain.call("publish", ["another", receipt.root], wallet(2))).rejects.toThrow(/only the owner/);
  const other = `0x${"1".repeat(64)}`;
  await expect(chain.call("publish", [batchId, other])).rejects.toThrow(/never changes/);
  expect(await chain.call("roots", [batchId])).toBe(receipt.root);
});
