import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { treeHost } from "@/server/kernel/keccak";
import { makeClaimTree, type ReadClaims } from "@/terms/claims/claim-tree";
import { NODE_ARGUMENTS } from "./contenders";

/** The argument that makes the benchmark's program a process that makes one tree. */
export const TREE_WORD = "tree-process";
/** Fewer, of which both must have the same root. */
const PROVED = 1000;
const ADDRESS_BYTES = 20;
const CLAIMS_PER_ROW = 10_000;

type Side = "ours" | "OpenZeppelin";
interface MeasuredTree {
  leafMicroseconds: number;
  /** At most, above what the process had with the claims in it. */
  megabytes: number;
}

/** In a process of its own, so that its memory is only the tree's. */
export async function measureTree(side: Side, count: number): Promise<MeasuredTree> {
  const child = fork(process.argv[1]!, [TREE_WORD, side, String(count)], { execArgv: NODE_ARGUMENTS });
  const [made] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (!made?.leafMicroseconds) throw new Error(`the tree of ${side} was not made`);
  return made as MeasuredTree;
}

export async function answerTree(): Promise<void> {
  const [side, count] = [process.argv[3] as Side, Number(process.argv[4])];
  const host = await treeHost();
  const few = claimsOf(PROVED);
  const { root } = await makeClaimTree(host, few.read, PROVED);
  if (`0x${Buffer.from(root).toString("hex")}` !== (await peerOf(few.rows())).root)
    throw new Error("the roots differ");
  const { read, rows } = claimsOf(count);
  const given = side === "ours" ? [] : rows();
  const make = () => (side === "ours" ? makeClaimTree(host, read, count) : peerOf(given));
  const idle = process.memoryUsage.rss();
  const startedAt = performance.now();
  await make();
  const leafMicroseconds = ((performance.now() - startedAt) * 1000) / count;
  const megabytes = (process.resourceUsage().maxRSS * 1024 - idle) / 1e6;
  process.send!({ leafMicroseconds, megabytes } satisfies MeasuredTree, () => process.exit(0));
}

const peerOf = async (rows: [string, string][]) => StandardMerkleTree.of(rows, ["address", "uint256"]);

/** Claims in address order: each address begins with its place. */
function claimsOf(count: number) {
  const addresses = Buffer.alloc(count * ADDRESS_BYTES);
  for (let at = 0; at < count; at++) {
    createHash("sha256")
      .update(String(at))
      .digest()
      .copy(addresses, at * ADDRESS_BYTES, 0, ADDRESS_BYTES);
    addresses.writeUInt32BE(at * Math.floor(2 ** 32 / count), at * ADDRESS_BYTES);
  }
  const claim = (index: number) => ({
    index,
    address: addresses.subarray(index * ADDRESS_BYTES, (index + 1) * ADDRESS_BYTES),
    amount: 10n ** 18n + BigInt(index),
  });
  const read: ReadClaims = async function* read() {
    for (let first = 0; first < count; first += CLAIMS_PER_ROW)
      yield Array.from({ length: Math.min(CLAIMS_PER_ROW, count - first) }, (_, at) => claim(first + at));
  };
  const rows = () =>
    Array.from({ length: count }, (_, at): [string, string] => {
      const { address, amount } = claim(at);
      return [addressFromBytes(address), String(amount)];
    });
  return { read, rows };
}
