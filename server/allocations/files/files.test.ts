import { createHash } from "node:crypto";
import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import { unzipSync } from "fflate";
import Papa from "papaparse";
import { describe, expect, test, vi } from "vitest";
import { ZERO_ADDRESS } from "@/terms/address-text";
import type { Claim } from "@/terms/claims/claim-tree";
import { PAYER_NAMES, readsProof } from "@/terms/claims/payers";
import { openFile as openCsv } from "@/terms/file/open-file";
import { parseTokens } from "@/terms/token-amounts";
import { formatUnits } from "@/terms/units";
import {
  claimsOf,
  fileAllocationOf,
  hexOf,
  readerOf,
  someClaims,
  storedClaims,
  textOf,
} from "@/testing/claims";
import { type AllocationFile, FILES, type FileFormName, fileNotes, fileRefusal, openFile } from "./files";

const TOKEN = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const ENCODING = ["address", "uint256"];
const MAX_256 = 2n ** 256n - 1n;

async function bytesOf(form: FileFormName, claims: readonly Claim[], change: object = {}): Promise<Buffer> {
  const allocation = { ...(await fileAllocationOf(claims)), ...change };
  return contentOf(openFile(form, allocation, storedClaims(claims), TOKEN));
}

async function contentOf({ content }: AllocationFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
const textIn = async (...given: Parameters<typeof bytesOf>) => (await bytesOf(...given)).toString();
const jsonOf = async (...given: Parameters<typeof bytesOf>) => JSON.parse(await textIn(...given));

const rowsOf = (csv: string) =>
  Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data;
const unitsIn = (claims: readonly Claim[]) => claims.map((claim) => [textOf(claim), String(claim.amount)]);
const tokensIn = (claims: readonly Claim[], decimals = 6) =>
  claims.map((claim) => [textOf(claim), formatUnits(claim.amount, decimals)]);

const COUNTS = [1, 2, 3, 5, 7, 10, 64];

describe("OpenZeppelin's library", () => {
  test.each(COUNTS)("makes our tree of %i claims", async (count) => {
    const claims = someClaims(count);
    const tree = StandardMerkleTree.of(unitsIn(claims), ENCODING);
    expect(await jsonOf("openzeppelin", claims)).toEqual(tree.dump());
  });

  test.each(COUNTS)("verifies each of %i claims that are read line by line", async (count) => {
    const claims = someClaims(count);
    const { root } = await fileAllocationOf(claims);
    const lines = (await textIn("lines", claims))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ address, amount }) => [address, amount])).toEqual(unitsIn(claims));
    for (const { address, amount, proof } of lines)
      expect(StandardMerkleTree.verify(hexOf(root), ENCODING, [address, amount], proof)).toBe(true);
  });
});

/** SHA-256 of what Uniswap's generator (25a79e8) printed for our input of `someClaims`. */
const UNISWAP_OUTPUTS: [count: number, digest: string][] = [
  [5, "a57624d7c0df16e89223a2b184c240c7880eb1c15dfd8ee630ae3f873470f2d2"],
  [7, "b46c7ad5a601302fd2bbe03c9ed88040418e6eb9edbee9e0d3a57610ccdd742a"],
  [10, "6ffc5467a0ce877fddfff984a67a66446a04f3ebc7b7a5b26cf3d752b0850d7c"],
  [64, "3298a966219aa67fc4f16e5b53544d72eb865560c2eba6f9b640c9560be040df"],
  [1000, "ed38887ebcf28bd8308303a2177b00c4cd7d8711937730a6fc54049713e51627"],
];

test("only those that read OpenZeppelin's root are shown a proof of it", () => {
  expect(PAYER_NAMES.filter(readsProof)).toEqual(["OPENZEPPELIN", "HEDGEY"]);
});

describe("Uniswap's generator", () => {
  test.each(UNISWAP_OUTPUTS)("makes of %i claims what we write", async (count, digest) => {
    const ours = await jsonOf("uniswap-claims", someClaims(count));
    const sorted = Object.entries(ours.claims).sort(([one], [other]) => (one < other ? -1 : 1));
    const text = JSON.stringify({ ...ours, claims: Object.fromEntries(sorted) });
    expect(createHash("sha256").update(text).digest("hex")).toBe(digest);
  });
});

describe("the file in tokens", () => {
  const SOME: [name: string, claims: Claim[], decimals: number][] = [
    ...[5, 7, 10].map((count): [string, Claim[], number] => [`${count} claims`, someClaims(count), 6]),
    ["no decimals", someClaims(5), 0],
    ["36 decimals", someClaims(5), 36],
    [
      "zeros at the end",
      claimsOf([
        [TOKEN, 10n ** 21n],
        [textOf(someClaims(1)[0]!), 1_500_000n],
      ]),
      18,
    ],
  ];

  test.each(SOME)("has the exact amounts of %s, without zeros at the end", async (_, claims, decimals) => {
    const csv = await textIn("human", claims, { decimals });
    expect(csv.split("\n", 1)).toEqual(["address,amount,quantity,maxClaimable"]);
    const rows = rowsOf(csv);
    const columns = ["amount", "quantity", "maxClaimable"] as const;
    for (const column of columns)
      expect(rows.map((row) => [row.address, row[column]])).toEqual(tokensIn(claims, decimals));
    expect(rows.map(({ amount }) => parseTokens(amount!, decimals))).toEqual(
      claims.map(({ amount }) => amount),
    );
    expect(csv).not.toMatch(/\.\d*0[,\n]|"/);
  });

  test("is what disperse finds in it: an address, then an amount", async () => {
    const claims = someClaims(10);
    const found = (await textIn("human", claims)).matchAll(
      /(0x[0-9a-fA-F]{40})[,\s=:;]+([0-9]+(?:\.[0-9]+)?)/g,
    );
    expect([...found].map(([, address, amount]) => [address, amount])).toEqual(tokensIn(claims));
  });
});

describe("Safe's parts", () => {
  test.each([
    [7, [7]],
    [400, [400]],
    [401, [400, 1]],
    [1003, [400, 400, 203]],
  ])("of %i claims have %j rows, as many lines as it reads, and sums that add up", async (count, sizes) => {
    const claims = someClaims(count);
    const files = Object.entries(unzipSync(await bytesOf("safe", claims)));
    const texts = new Map(files.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
    const parts = rowsOf(texts.get("parts.csv")!);
    expect(parts.map(({ rows }) => Number(rows))).toEqual(sizes);
    expect([...texts.keys()].sort()).toEqual([...parts.map(({ file }) => file), "parts.csv"].sort());
    const all = parts.flatMap(({ file, tokens }) => {
      const text = texts.get(file!)!;
      expect(text.split("\n").length).toBeLessThanOrEqual(401);
      expect(text).not.toMatch(/\n$/);
      const { data, meta } = Papa.parse<Record<string, string>>(text, { header: true });
      expect(meta.fields).toEqual(["token_type", "token_address", "receiver", "amount"]);
      const sum = data.reduce((sum, { amount }) => sum + parseTokens(amount!, 6)!, 0n);
      expect(formatUnits(sum, 6)).toBe(tokens);
      return data;
    });
    expect(all.map(({ receiver, amount }) => [receiver, amount])).toEqual(tokensIn(claims));
    expect(new Set(all.map((row) => `${row.token_type} ${row.token_address}`))).toEqual(
      new Set([`erc20 ${TOKEN}`]),
    );
  });
});

test("Merkl's rewards name the token, the allocation and each address once", async () => {
  const claims = someClaims(7);
  const name = 'Season "1"\n';
  expect(await jsonOf("merkl", claims, { name })).toEqual({
    rewardToken: TOKEN,
    rewards: Object.fromEntries(unitsIn(claims).map(([address, units]) => [address, { [name]: units }])),
  });
});

test("a payout in points has a reference per holder that a contract pays once", async () => {
  const claims = someClaims(5);
  const rows = rowsOf(await textIn("pay", claims, { decimals: 12 }));
  expect(rows).toEqual(
    claims.map((claim) => ({
      address: textOf(claim),
      points: formatUnits(claim.amount, 12),
      reference: `01890a5dac96774b:${textOf(claim).toLowerCase()}`,
    })),
  );
});

test.each([
  [null, null],
  ["PHASE2_GOLD", "PHASE2_GOLD"],
])("New payout finds the columns and the type of a payout by %s by itself", async (payer, pointType) => {
  const text = await textIn("pay", someClaims(5), { decimals: 12, payer });
  const { columns, ...loaded } = openCsv(text, { name: "points.csv" }).loaded;
  expect(columns.map).toEqual({ toAddress: 0, points: 1, reference: 2 });
  expect(loaded.pointType).toBe(pointType);
});

test("parts in tokens have the rows of the whole file", async () => {
  const claims = someClaims(401);
  const { "parts.csv": sums, ...files } = unzipSync(await bytesOf("parts", claims));
  expect(Buffer.from(sums!).toString()).toMatch(/^file,rows,tokens\n.*,400,.*\n.*,1,.*\n$/);
  const rows = Object.values(files).flatMap((file) => rowsOf(Buffer.from(file).toString()));
  expect(rows).toEqual(rowsOf(await textIn("human", claims)));
});

test.each([
  ["uniswap-claims", 6],
  ["openzeppelin", 8],
  ["lines", 9],
] as const)("the tree of %s is made once, however many fetch it", async (form, count) => {
  const claims = someClaims(count);
  const allocation = await fileAllocationOf(claims);
  const stored = { read: vi.fn(readerOf(claims)), readTree: vi.fn(storedClaims(claims).readTree) };
  const fetched = () => contentOf(openFile(form, allocation, stored));
  const first = await fetched();
  vi.clearAllMocks();
  expect(await Promise.all([fetched(), fetched()])).toEqual([first, first]);
  // Each writes the claims, and none makes or reads the tree again.
  expect(stored.readTree).not.toHaveBeenCalled();
  if (form === "uniswap-claims") expect(stored.read).toHaveBeenCalledTimes(2);
});

describe("a file", () => {
  const forms = Object.keys(FILES) as FileFormName[];

  test.each(forms)("%s has the largest amount there is, and its unit in its name", async (form) => {
    const claims = claimsOf([[TOKEN, MAX_256]]);
    const allocation = { ...(await fileAllocationOf(claims)), name: "  Früh & spät! " };
    const { fileName } = openFile(form, allocation, storedClaims(claims), TOKEN);
    expect(fileName).toMatch(new RegExp(`^fr-h-sp-t-.*${FILES[form].unit.replace(" ", "-")}`));
    const text = (await bytesOf(form, claims)).toString();
    const human = formatUnits(MAX_256, 6);
    if (!FILES[form].mediaType.endsWith("zip"))
      expect([String(MAX_256), `0x${MAX_256.toString(16)}`, human].some((one) => text.includes(one))).toBe(
        true,
      );
  });

  test.each(["openzeppelin", "lines", "uniswap-claims"] as const)(
    "%s is not written of claims that make another root",
    async (form) => {
      const claims = someClaims(3);
      const other = { root: Buffer.alloc(32, 1), uniswapRoot: Buffer.alloc(32, 1) };
      await expect(bytesOf(form, claims, other)).rejects.toThrow(/^The claims make the root 0x/);
    },
  );

  test.each<[FileFormName, object, RegExp]>([
    [
      "openzeppelin",
      { claims: 2_500_000 },
      /^The file would have up to .* characters.* one JSON text\..*line by line/,
    ],
    ["uniswap-claims", { claims: 1_000_000 }, /^The file would have up to/],
    ["pay", { payer: "SAFE" }, /^The amounts are not points\.$/],
    ["human", { payer: "PHASE2_POINTS" }, /^The amounts are not tokens\.$/],
    ["pay", { decimals: 13 }, /^Points have at most 12 decimals, and this allocation has 13\.$/],
  ])("%s is refused with the reason: %o", async (form, change, reason) => {
    const claims = someClaims(3);
    const allocation = { ...(await fileAllocationOf(claims)), ...change };
    expect(fileRefusal(form, allocation)).toMatch(reason);
    expect(() => openFile(form, allocation, storedClaims(claims), TOKEN)).toThrow(reason);
  });

  test.each(["openzeppelin", "uniswap-claims", "merkl"] as const)(
    "%s has at most as many characters as were estimated, and not far fewer",
    async (form) => {
      const claims = someClaims(64).map((claim) => ({ ...claim, amount: 10n ** 18n }));
      const allocation = await fileAllocationOf(claims);
      const { length } = await textIn(form, claims);
      const estimated = FILES[form].charsPerClaim!(allocation) * claims.length;
      expect(length).toBeLessThan(estimated + 200);
      expect(length).toBeGreaterThan(estimated * 0.8);
    },
  );

  test("takes as many claims as one JSON text can hold", async () => {
    const allocation = { ...(await fileAllocationOf(someClaims(3))), sum: 10n ** 27n };
    expect(fileRefusal("openzeppelin", { ...allocation, claims: 2_000_000 })).toBeNull();
    expect(fileRefusal("uniswap-claims", { ...allocation, claims: 300_000 })).toBeNull();
    expect(fileRefusal("lines", { ...allocation, claims: 100_000_000 })).toBeNull();
  });

  test.each(["safe", "merkl"] as const)("%s asks for the token's address", async (form) => {
    const allocation = await fileAllocationOf(someClaims(3));
    for (const address of [undefined, "", "0x12", TOKEN.replace("A", "a"), ZERO_ADDRESS])
      expect(() => openFile(form, allocation, storedClaims([]), address)).toThrow(
        /^Enter the token's address/,
      );
  });

  test.each<[string, object, string]>([
    ["one claim", { claims: 1 }, "Sablier needs at least two recipients."],
    ["a sum beyond 128 bits", { sum: 2n ** 128n }, "Sablier counts in 128 bits, and this sum needs more."],
    [
      "more rows than a transaction takes",
      { claims: 401 },
      "disperse and thirdweb's airdrop pay all rows in one transaction: use parts of 400 rows.",
    ],
    ["no decimals", { decimals: 0 }, "thirdweb's airdrop counts a token without decimals as one with 18."],
  ])("in tokens says what a tool cannot do with %s", async (_, change, note) => {
    const allocation = await fileAllocationOf(someClaims(3));
    expect(fileNotes("human", { ...allocation, ...change })).toEqual([note]);
    expect(openFile("human", { ...allocation, ...change }, storedClaims([])).notes).toEqual([note]);
    expect(fileNotes("human", allocation)).toEqual([]);
  });
});
