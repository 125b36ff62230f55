import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { FileAllocation } from "@/server/allocations/files/claim-text";
import { type FileFormName, openFile } from "@/server/allocations/files/files";
import { sablierRoot } from "@/terms/claims/claim-tree";
import { fileAllocationOf, HOST, hexOf, readerOf, someClaims, storedClaims } from "@/testing/claims";
import { addClaimsCheck } from "./claim-commands";
import { linesOf } from "./read-claims";

const COUNT = 7;
const claims = someClaims(COUNT);
const folder = mkdtempSync(join(tmpdir(), "check-claims-"));
afterAll(() => rmSync(folder, { recursive: true }));

let allocation: FileAllocation;
let root: string;
let sum: string;
/** The downloads of the service. */
const files = new Map<string, string>();
beforeAll(async () => {
  allocation = await fileAllocationOf(claims);
  root = hexOf(allocation.root);
  sum = String(allocation.sum);
  for (const form of ["openzeppelin", "lines", "human"] satisfies FileFormName[]) {
    let text = "";
    for await (const chunk of openFile(form, allocation, storedClaims(claims)).content) text += chunk;
    files.set(form, text);
  }
});

/** The file with one change. */
function write(form: string, change: (text: string) => string = (text) => text): string {
  const path = join(folder, "claims");
  writeFileSync(path, change(files.get(form) ?? form));
  return path;
}

const NESTED = "[".repeat(50_000) + "]".repeat(50_000);
/** Neither a text nor a number, and it cannot be made one. */
const OBJECT = '{"toString":1,"valueOf":1}';

/** What the command prints, or why it fails. */
async function check(path: string, ...options: string[]): Promise<string> {
  const printed: string[] = [];
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  const command = new Command().option("--json").exitOverride();
  addClaimsCheck(command);
  try {
    await command.parseAsync(["check", path, "--root", root, ...options], { from: "user" });
    return printed.join("");
  } catch (error) {
    return (error as Error).message;
  } finally {
    stdout.mockRestore();
  }
}

const DECIMALS = ["--decimals", "6"];
const optionsOf = (form: string) => (form === "human" ? DECIMALS : []);

test.each(["openzeppelin", "lines", "human"])("the file %s has the root, count and sum", async (form) => {
  const expected = ["--count", String(COUNT), "--sum", sum];
  for (const path of [write(form), write(form, (text) => `\ufeff${text}`)])
    expect(await check(path, ...optionsOf(form), ...expected)).toBe(
      `claims: 7 claims of ${Number(sum).toLocaleString("en-US")} base units.\n` +
        `The root matches, as OpenZeppelin’s: ${root}.\n`,
    );
});

/** The rows in the opposite order. */
function turned(text: string, lineEnd = "\n"): string {
  const [head, ...rows] = text.trimEnd().split("\n");
  return [head, ...rows.reverse()].join(lineEnd);
}

test("claims in another order, and a tree with line breaks, have the same root", async () => {
  const reversed = write("human", (text) => turned(text, "\r\n"));
  expect(await check(reversed, ...DECIMALS)).toContain(`The root matches, as OpenZeppelin’s: ${root}.`);
  const pretty = write("openzeppelin", (text) => JSON.stringify(JSON.parse(text), null, 2));
  expect(await check(pretty)).toContain(`The root matches, as OpenZeppelin’s: ${root}.`);
});

test.each(["openzeppelin", "lines", "human"])(
  "the file %s has the roots of other readers too",
  async (form) => {
    const others = {
      Uniswap: hexOf(allocation.uniswapRoot),
      Sablier: hexOf((await sablierRoot(HOST, readerOf(claims), COUNT))!),
    };
    for (const [reader, other] of Object.entries(others))
      expect(await check(write(form), ...optionsOf(form), "--root", other)).toContain(
        `The root matches, as ${reader}’s: ${other}.`,
      );
  },
);

test("Sablier counts the rows of its file, so its root is of one order", async () => {
  const reversed = claims.toReversed().map((claim, index) => ({ ...claim, index }));
  const other = hexOf((await sablierRoot(HOST, readerOf(reversed), COUNT))!);
  expect(await check(write("human", turned), ...DECIMALS, "--root", other)).toContain("as Sablier’s");
  expect(await check(write("human"), ...DECIMALS, "--root", other)).toMatch(
    /^claims: The root is 0x\w+ instead of 0x\w+\. Uniswap’s and Sablier’s roots differ too\.$/,
  );
});

describe("a difference is found:", () => {
  const firstAmount = String(claims[0]!.amount);
  const NO_PROOF = "The proof of claim 1 does not follow from the claims.";
  const cases: [what: string, form: string, change: (text: string) => string, message: string | RegExp][] = [
    [
      "an amount",
      "lines",
      (text) => text.replace(`"${firstAmount}"`, '"1"'),
      /^claims: The root is 0x\w+ instead of 0x\w+\..*\nclaims: The sum is \d+ instead of \d+ base units\./,
    ],
    [
      "a claim that is missing",
      "human",
      (text) => text.replace(/\n[^\n]+\n$/, "\n"),
      /The root is .*\n.* There are 6 claims instead of 7\.\n.* The sum is/,
    ],
    [
      "a node of the tree",
      "openzeppelin",
      (text) => text.replace(/"tree":\["0x.{4}/, '"tree":["0x0000'),
      "Node 0 of the tree does not follow from the claims.",
    ],
    [
      "a node too many",
      "openzeppelin",
      (text) => text.replace('"tree":[', `"tree":["${`0x${"0".repeat(64)}`}",`),
      "The tree has 14 nodes instead of 13.",
    ],
    [
      "the place of a leaf",
      "openzeppelin",
      (text) => text.replace(/"treeIndex":\d+\}\]/, '"treeIndex":0}]'),
      "Value 7 has another treeIndex than its leaf.",
    ],
    [
      "a proof",
      "lines",
      (text) => text.replace(/"(?=\]\}\n$)/, '0"'),
      "The proof of claim 7 does not follow from the claims.",
    ],
    ["a proof that is left out", "lines", (text) => text.replace(/,"proof":\[[^\]]+\]/, ""), NO_PROOF],
    [
      "a proof that is one text",
      "lines",
      (text) =>
        text.replace(/"proof":\["([^\]]+)"\]/, (_, hashes) => `"proof":"${hashes.replaceAll('"', "")}"`),
      NO_PROOF,
    ],
    [
      "a proof nested without end",
      "lines",
      (text) => text.replace(/"proof":\[[^\]]+\]/, `"proof":${NESTED}`),
      NO_PROOF,
    ],
  ];
  test.each(cases)("%s", async (_, form, change, message) => {
    const said = await check(write(form, change), ...optionsOf(form), "--count", String(COUNT), "--sum", sum);
    if (typeof message === "string") expect(said).toBe(`claims: ${message}`);
    else expect(said).toMatch(message);
  });

  test("the decimals of another token", async () => {
    expect(await check(write("human"), "--decimals", "7")).toMatch(/^claims: The root is/);
  });
});

describe("a file that is no list of claims is refused with the reason:", () => {
  const NOT_CLAIMS = "It is neither a Merkle tree in the format standard-v1, nor claims line by line";
  const NOT_TWO = "Its leaves are not (address,uint256).";
  const NO_ADDRESS = "must be 0x followed by 40 hex digits.";
  const amountAt = (line: number) => `Line ${line}: the amount must be a number above 0 and below 2^256`;
  const A = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
  const csv = (...rows: string[]) => ["address,amount", ...rows, ""].join("\n");
  const tree = (values: string, encoding = '["address","uint256"]') =>
    `{"format":"standard-v1","leafEncoding":${encoding},"tree":[],"values":[${values}]}`;
  /** Options are those of a CSV file by default, and none of a file of JSON. */
  const cases: [what: string, text: string, message: string, options?: string[]][] = [
    ["empty", "", "It is empty."],
    ["no claims", csv(), "There are no claims in it."],
    ["a tree of no claims", tree(""), "There are no claims in it."],
    ["other columns", "to,points\n1,2\n", NOT_CLAIMS],
    ["other JSON", '{"claims":{}}', NOT_CLAIMS],
    ["Uniswap's claims", '{"merkleRoot":"0x","claims":{}}', "It is Uniswap’s own form"],
    ["cut-off JSON", '{"format":"standard-v1","tree":["0x', NOT_CLAIMS],
    ["a tree of other leaves", tree("", '["uint256","address","uint256"]'), NOT_TWO],
    ...[`"address,uint256"`, OBJECT, NESTED].map((encoding): [string, string, string] => [
      `a tree whose leafEncoding is ${encoding.slice(0, 30)}`,
      tree("", encoding),
      NOT_TWO,
    ]),
    ...["5", "null", "{}", `"ab"`, `["${A}","1","1"]`].map((value): [string, string, string] => [
      `a tree with the value ${value}`,
      tree(`{"value":${value}}`),
      "Value 1 is not an address and an amount.",
    ]),
    ...[OBJECT, NESTED, `["${A}"]`].map((address): [string, string, string] => [
      `the address ${address.slice(0, 30)}`,
      `{"address":${address},"amount":"1"}`,
      `Line 1: the address (none) ${NO_ADDRESS}`,
    ]),
    ["a column twice", `address,amount,amount\n${A},1,2\n`, "It has a column twice."],
    ["no decimals", csv(`${A},1`), "Add --decimals with the token's decimals", []],
    [
      "decimals of base units",
      `{"address":"${A}","amount":"1"}`,
      "The amounts of this file are in base units",
      DECIMALS,
    ],
    ["no address", csv("0x12,1"), `Line 2: the address 0x12 ${NO_ADDRESS}`],
    [
      "a wrong checksum",
      csv(`${A.replace("A", "a")},1`),
      `Line 2: the address ${A.replace("A", "a")} fails its EIP-55 checksum`,
    ],
    [
      "an address twice",
      csv(`${A},1`, `${A.toLowerCase()},2`),
      "Line 3 has the same address as line 2: 0x5aaeb",
    ],
    ["too many decimals", csv(`${A},1.1234567`), `${amountAt(2)}, with at most 6 decimals.`],
    ["nothing", csv(`${A},0.0`), amountAt(2)],
    ["an exponent", csv(`${A},1e3`), amountAt(2)],
    ["too much", csv(`${A},${2n ** 256n}`), amountAt(2)],
    ["cells too many", csv(`${A},1,`), "Line 2 has 3 cells instead of 2."],
    [
      "amounts that differ",
      `address,amount,quantity\n${A},1,2\n`,
      "Line 2 has different amounts for different tools: 1, 2.",
    ],
    ["a number of JSON", `{"address":"${A}","amount":1000}`, `${amountAt(1)}, as text in base units.`],
    ["a line that is not JSON", `{"address":"${A}","amount":"1"}\n\nx\n`, "Line 3 is not a JSON object."],
  ];
  test.each(cases)("%s", async (_, text, message, options = text.startsWith("{") ? [] : DECIMALS) => {
    expect(await check(write(text), ...options)).toContain(`claims: ${message}`);
  });

  test("a folder, or no file", async () => {
    expect(await check(folder)).toMatch(/: A folder, not a file: /);
    expect(await check(join(folder, "none"))).toMatch(/^none: No such file: /);
  });

  test("a line that is longer than a text can be", async () => {
    const path = write(`short\r\n${"x".repeat(99)}\n${"x".repeat(100_000)}`);
    const names: string[] = [];
    const read = async (bytesMax?: number) => {
      for await (const [where] of linesOf(path, bytesMax)) names.push(where);
    };
    await expect(read(99_999)).rejects.toThrow("It has a line of more than 99,999 bytes.");
    names.length = 0;
    await read();
    expect(names).toEqual(["Line 1", "Line 2", "Line 3"]);
  });
});

test("the program ends with 1 on a difference, with 2 on a wrong option, and otherwise with 0", () => {
  const program = join(folder, "point-batches.mjs");
  execFileSync(process.execPath, ["client/build.mjs", "--command-line", program]);
  const run = (...options: string[]) =>
    spawnSync(process.execPath, [program, "claims", "check", write("lines"), ...options, "--json"], {
      encoding: "utf8",
    });
  const right = run("--root", root);
  expect([right.status, JSON.parse(right.stdout)]).toEqual([
    0,
    { success: true, root, count: COUNT, sum, differences: [] },
  ]);
  const wrong = run("--root", root, "--count", "8");
  expect([wrong.status, JSON.parse(wrong.stdout)]).toMatchObject([
    1,
    { success: false, count: COUNT, differences: ["There are 7 claims instead of 8."] },
  ]);
  expect(run().status).toBe(2);
  expect(run("--root", "0x12").status).toBe(2);
});
