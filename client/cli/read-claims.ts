import { type FileHandle, open, readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { addressDetail, addressError, addressKey } from "../../terms/address-text.ts";
import type { Claim } from "../../terms/claims/claim-tree.ts";
import { formatCount } from "../../terms/output-text.ts";
import { parseTokens } from "../../terms/token-amounts.ts";
import { cannotRead, EXIT, Failure, shown } from "./terminal.ts";

export interface ClaimsFile {
  /** In the order of the file. */
  claims: Claim[];
  /** Of a Merkle tree: its nodes, and where the leaf of each claim is. */
  tree?: { nodes: unknown[]; positions: unknown[] };
  /** Of claims line by line: the proof of each. Read again, since a million of them need gigabytes. */
  proofs?: () => AsyncIterable<unknown>;
}

const bad = (why: string) => new Failure(EXIT.badInput, why);

const UNREADABLE =
  "It is neither a Merkle tree in the format standard-v1, nor claims line by line, " +
  "nor a CSV with the columns address and amount.";

const UNISWAPS_OWN =
  "It is Uniswap’s own form. Check Uniswap’s root with the file “human”, “lines” or “openzeppelin”.";

/**
 * Reads a Merkle tree of OpenZeppelin's library, claims line by line, or the CSV with amounts in tokens.
 * @param decimals of the token, which only the CSV needs
 * @throws Failure that names the line
 */
export async function readClaims(path: string, decimals: number | undefined): Promise<ClaimsFile> {
  const file = await readAny(path, decimals);
  if (file.claims.length === 0) throw bad("There are no claims in it.");
  return file;
}

async function readAny(path: string, decimals: number | undefined): Promise<ClaimsFile> {
  const first = await firstLine(path);
  if (first.startsWith("{")) {
    if (decimals !== undefined)
      throw new Failure(EXIT.usage, "The amounts of this file are in base units. Leave out --decimals.");
    const object = objectIn(first);
    return object && "address" in object ? readLines(path) : readTree(object ?? objectIn(await textIn(path)));
  }
  if (decimals === undefined)
    throw new Failure(
      EXIT.usage,
      "Add --decimals with the token's decimals: amounts of a CSV are in tokens.",
    );
  return readCsv(path, decimals);
}

/** Item by item: as a text, a list is the same as one text with the same commas. */
export const isList = (given: unknown, items: readonly string[]): boolean =>
  Array.isArray(given) && given.length === items.length && items.every((item, at) => given[at] === item);

function readTree(dump: Record<string, unknown> | null): ClaimsFile {
  const { format, leafEncoding, tree, values, merkleRoot } = dump ?? {};
  if (merkleRoot !== undefined) throw bad(UNISWAPS_OWN);
  if (format !== "standard-v1" || !Array.isArray(tree) || !Array.isArray(values)) throw bad(UNREADABLE);
  if (!isList(leafEncoding, ["address", "uint256"])) throw bad("Its leaves are not (address,uint256).");
  const list = new ClaimList();
  for (const [at, entry] of values.entries()) {
    const value: unknown = entry?.value;
    if (!Array.isArray(value) || value.length !== 2)
      throw bad(`Value ${at + 1} is not an address and an amount.`);
    list.add(`Value ${at + 1}`, value[0], unitsIn(value[1]));
  }
  return { claims: list.claims, tree: { nodes: tree, positions: values.map((entry) => entry.treeIndex) } };
}

async function readLines(path: string): Promise<ClaimsFile> {
  const list = new ClaimList();
  for await (const [where, line] of linesOf(path)) {
    const object = objectIn(line);
    if (!object) throw bad(`${where} is not a JSON object.`);
    list.add(where, object.address, unitsIn(object.amount));
  }
  return {
    claims: list.claims,
    async *proofs() {
      for await (const [, line] of linesOf(path)) yield objectIn(line)?.proof;
    },
  };
}

/** Columns that other tools take the amount from. */
const AMOUNTS = ["amount", "quantity", "maxClaimable"];

async function readCsv(path: string, decimals: number): Promise<ClaimsFile> {
  const list = new ClaimList();
  let heads: string[] | undefined;
  for await (const [where, line] of linesOf(path)) {
    const cells = line.split(",");
    if (!heads) {
      heads = cells;
      if (!heads.includes("address") || !heads.includes("amount")) throw bad(UNREADABLE);
      if (new Set(heads).size < heads.length) throw bad("It has a column twice.");
      continue;
    }
    if (cells.length !== heads.length)
      throw bad(`${where} has ${cells.length} cells instead of ${heads.length}.`);
    const cellOf = (head: string) => cells[heads!.indexOf(head)];
    const amounts = AMOUNTS.map(cellOf).filter((cell) => cell !== undefined);
    if (new Set(amounts).size > 1)
      throw bad(`${where} has different amounts for different tools: ${shown(amounts.join(", "))}.`);
    list.add(
      where,
      cellOf("address"),
      parseTokens(amounts[0]!, decimals),
      `, with at most ${decimals} decimals`,
    );
  }
  return { claims: list.claims };
}

class ClaimList {
  readonly claims: Claim[] = [];
  readonly #found = new Map<string, string>();

  /** @throws Failure */
  add(where: string, address: unknown, amount: bigint | null, form = ", as text in base units"): void {
    const text = typeof address === "string" ? address : "(none)";
    const error = addressError(text);
    if (error) throw bad(`${where}: the address ${shown(text, 50)} ${addressDetail(text, error)}.`);
    if (amount === null || amount === 0n)
      throw bad(`${where}: the amount must be a number above 0 and below 2^256${form}.`);
    const key = addressKey(text);
    const earlier = this.#found.get(key);
    if (earlier) throw bad(`${where} has the same address as ${earlier.toLowerCase()}: ${text}.`);
    this.#found.set(key, where);
    this.claims.push({ index: this.claims.length, address: Buffer.from(key.slice(2), "hex"), amount });
  }
}

const unitsIn = (amount: unknown) => (typeof amount === "string" ? parseTokens(amount, 0) : null);

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

async function firstLine(path: string): Promise<string> {
  for await (const [, line] of linesOf(path)) return line;
  throw bad("It is empty.");
}

/** Of a string in Node. */
const LINE_BYTES_MAX = 536_870_888;

/** The lines that are not empty, each with its name in messages. @throws Failure */
export async function* linesOf(
  path: string,
  lineBytesMax = LINE_BYTES_MAX,
): AsyncGenerator<[where: string, line: string]> {
  const file = await opened(path);
  const input = Readable.from(withShortLines(file.createReadStream(), lineBytesMax));
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      const text = number === 1 ? line.replace(BYTE_ORDER_MARK, "") : line;
      if (text !== "") yield [`Line ${number}`, text];
    }
  } finally {
    // Closes the file, also when the rest of it is not read.
    input.destroy();
  }
}

const BYTE_ORDER_MARK = /^\ufeff/;
const LINE_FEED = 10;

/** Node cannot read a longer line, and ends the program. */
async function* withShortLines(chunks: AsyncIterable<Buffer>, lineBytesMax: number) {
  let length = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED);
    length = end === -1 ? length + chunk.length : chunk.length - end - 1;
    if (length > lineBytesMax) throw bad(`It has a line of more than ${formatCount(lineBytesMax)} bytes.`);
    yield chunk;
  }
}

async function opened(path: string): Promise<FileHandle> {
  const file = await open(path).catch(cannotRead(path));
  if (!(await file.stat()).isDirectory()) return file;
  await file.close();
  throw bad(`A folder, not a file: ${path}`);
}

const textIn = (path: string): Promise<string> =>
  readFile(path, "utf8").then(
    (text) => text.replace(BYTE_ORDER_MARK, ""),
    () => {
      throw bad(`${path} is too long to be read as one text.`);
    },
  );
