import { basename } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import { createKeccak } from "hash-wasm";
import {
  type ClaimTree,
  makeClaimTree,
  NODE_BYTES,
  proofOf,
  sablierRoot,
  type TreeHost,
  uniswapRoot,
} from "../../terms/claims/claim-tree.ts";
import { counted, formatAmount, formatCount } from "../../terms/output-text.ts";
import { TOKEN_DECIMALS_MAX } from "../../terms/token-amounts.ts";
import { createClient } from "../src/create-client.ts";
import { type ClaimsFile, isList, readClaims } from "./read-claims.ts";
import { argument, optionsOf, positive, urlOf } from "./service.ts";
import { EXIT, Failure, print } from "./terminal.ts";

interface CheckOptions {
  root: string;
  count?: number;
  sum?: bigint;
  decimals?: number;
}

const READ_TIMEOUT_MS = 20_000;
const CLAIMS_AT_ONCE = 1000;

const rootOf = argument(
  /^0x[0-9a-f]{64}$/i,
  (text) => text.toLowerCase(),
  "It must be 0x followed by 64 hex digits.",
);
const sumOf = argument(/^[1-9]\d{0,77}$/, BigInt, "It must be a positive whole number of base units.");
function decimalsOf(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) <= TOKEN_DECIMALS_MAX) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${TOKEN_DECIMALS_MAX}.`);
}

/** Claims are public, so none of these needs a contract or a token. */
export function addClaimCommands(program: Command, signal: AbortSignal): void {
  const claims = program.command("claims").description("Claims of an allocation.");
  claims
    .command("get <allocation> <address>")
    .description("Print what an address gets by a published allocation, with its proof, as JSON.")
    .action(async (allocation: string, address: string, _: object, command: Command) => {
      const client = createClient({ baseUrl: urlOf(optionsOf(command)), totalTimeoutMs: READ_TIMEOUT_MS });
      print(true, await client.getClaim(allocation, address, { signal }), () => "");
    });
  addClaimsCheck(claims);
}

/** `claims check`: asks no service. */
export function addClaimsCheck(claims: Command): void {
  claims
    .command("check <file>")
    .description("Compare a file of an allocation's claims with its root, count and sum. Needs no service.")
    .requiredOption("--root <hash>", "the allocation's root: OpenZeppelin's, Uniswap's or Sablier's", rootOf)
    .option("--count <n>", "how many claims it has", positive)
    .option("--sum <units>", "their sum in base units", sumOf)
    .option("--decimals <n>", "the token's decimals, for a CSV with amounts in tokens", decimalsOf)
    .addHelpText(
      "after",
      `
Files:    the Merkle tree (standard-v1), claims line by line (NDJSON), amounts in tokens (CSV)
The tree is made again from addresses and amounts. Nodes and proofs in the file must be OpenZeppelin's.

Example:
  point-batches claims check season-1-tokens.csv --decimals 18 --root 0x… --count 41200`,
    )
    .action(async (path: string, _: object, command: Command) => {
      const { json, root, count, sum, decimals } = optionsOf<CheckOptions>(command);
      const name = basename(path);
      const file = await readClaims(path, decimals).catch((error: unknown) => {
        throw error instanceof Failure ? new Failure(error.exitCode, `${name}: ${error.message}`) : error;
      });
      const tree = await makeClaimTree(await treeHost(), readerOf(file), file.claims.length);
      const reader = hexOf(tree.root) === root ? "OpenZeppelin" : await otherReaderOf(root, file);
      const found = {
        root: reader ? root : hexOf(tree.root),
        count: file.claims.length,
        sum: file.claims.reduce((all, { amount }) => all + amount, 0n),
      };
      const differences = [
        !reader && `The root is ${found.root} instead of ${root}. Uniswap’s and Sablier’s roots differ too.`,
        count !== undefined &&
          found.count !== count &&
          `There are ${formatCount(found.count)} claims instead of ${formatCount(count)}.`,
        sum !== undefined && found.sum !== sum && `The sum is ${found.sum} instead of ${sum} base units.`,
        (await changedNode(file, tree)) ?? (await changedProof(file, tree)),
      ].filter((line) => typeof line === "string");
      const facts = { ...found, sum: String(found.sum), differences };
      if (differences.length > 0)
        throw new Failure(EXIT.badInput, differences.map((line) => `${name}: ${line}`).join("\n"), facts);
      print(json, { success: true, ...facts }, () =>
        [
          `${name}: ${counted(found.count, "claim", "claims")} ` +
            `of ${formatAmount(String(found.sum))} base units.`,
          `The root matches, as ${reader}’s: ${root}.`,
        ].join("\n"),
      );
    });
}

/** The tool whose root it is, if its leaves have an index. Sablier's is the claim's place in the file. */
async function otherReaderOf(root: string, file: ClaimsFile): Promise<"Uniswap" | "Sablier" | null> {
  const [host, read, count] = [await treeHost(), readerOf(file), file.claims.length];
  if (hexOf(await uniswapRoot(host, read, count)) === root) return "Uniswap";
  const sablier = await sablierRoot(host, read, count);
  return sablier && hexOf(sablier) === root ? "Sablier" : null;
}

/** What is in the file beside the claims must follow from them. */
function changedNode({ tree: given }: ClaimsFile, { nodes, positions }: ClaimTree): string | null {
  if (!given) return null;
  const count = nodes.length / NODE_BYTES;
  if (given.nodes.length !== count) return `The tree has ${given.nodes.length} nodes instead of ${count}.`;
  const node = given.nodes.findIndex(
    (text, at) => text !== hexOf(nodes.subarray(at * NODE_BYTES, (at + 1) * NODE_BYTES)),
  );
  if (node !== -1) return `Node ${node} of the tree does not follow from the claims.`;
  const value = given.positions.findIndex((position, at) => position !== positions[at]);
  return value === -1 ? null : `Value ${value + 1} has another treeIndex than its leaf.`;
}

async function changedProof({ proofs }: ClaimsFile, tree: ClaimTree): Promise<string | null> {
  if (!proofs) return null;
  let index = 0;
  for await (const proof of proofs()) {
    if (!isList(proof, proofOf(tree, index).map(hexOf)))
      return `The proof of claim ${index + 1} does not follow from the claims.`;
    index += 1;
  }
  return null;
}

const readerOf = ({ claims }: ClaimsFile) =>
  async function* () {
    for (let start = 0; start < claims.length; start += CLAIMS_AT_ONCE)
      yield claims.slice(start, start + CLAIMS_AT_ONCE);
  };

async function treeHost(): Promise<TreeHost> {
  const hasher = await createKeccak(256);
  return { keccak: (bytes) => hasher.init().update(bytes).digest("binary"), pause };
}

const hexOf = (node: Uint8Array) => `0x${Buffer.from(node).toString("hex")}`;
