import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import fc from "fast-check";
import { encodePacked, type Hex, keccak256 } from "viem";
import { describe, expect, test } from "vitest";
import { type Claim, makeClaimTree, sablierRoot, uniswapRoot } from "@/terms/claims/claim-tree";
import { claimsOf, HOST, hexOf, readerOf, someClaims, textOf } from "@/testing/claims";

const openZeppelin = (claims: readonly Claim[]) =>
  StandardMerkleTree.of(
    claims.map((claim) => [textOf(claim), claim.amount] as const),
    ["address", "uint256"],
  );

/** Sablier's merkle-api builds its tree with merkle-tree-rs, a port of OpenZeppelin's library. */
const sablier = (claims: readonly Claim[]) =>
  StandardMerkleTree.of(
    claims.map((claim) => [claim.index, textOf(claim), claim.amount] as const),
    ["uint256", "address", "uint256"],
  );

const sorted = (one: Hex, other: Hex) => (one < other ? [one, other] : [other, one]) as [Hex, Hex];
const pairHash = (one: Hex, other: Hex) =>
  keccak256(encodePacked(["bytes32", "bytes32"], sorted(one, other)));
const uniswapLeaf = (index: number, claim: Claim) =>
  keccak256(
    encodePacked(["uint256", "address", "uint256"], [BigInt(index), textOf(claim) as Hex, claim.amount]),
  );

/** By the rules that Uniswap's generator follows. */
function uniswap(claims: readonly Claim[]): string {
  const texts = claims.map(textOf).sort();
  const indexes = new Map(texts.map((text, index) => [text, index]));
  let layer = claims.map((claim) => uniswapLeaf(indexes.get(textOf(claim))!, claim)).sort();
  while (layer.length > 1)
    layer = layer.flatMap((node, place) => {
      if (place % 2 === 1) return [];
      const next = layer[place + 1];
      return [next ? pairHash(node, next) : node];
    });
  return layer[0]!;
}

async function rootsOf(claims: readonly Claim[]) {
  const read = readerOf(claims);
  const { root } = await makeClaimTree(HOST, read, claims.length);
  const sablier = await sablierRoot(HOST, read, claims.length);
  return {
    openZeppelin: hexOf(root),
    uniswap: hexOf(await uniswapRoot(HOST, read, claims.length)),
    sablier: sablier && hexOf(sablier),
  };
}

const expectedRoots = (claims: readonly Claim[]) => ({
  openZeppelin: openZeppelin(claims).root,
  uniswap: uniswap(claims),
  sablier: claims.length < 2 ? null : sablier(claims).root,
});

/**
 * What Uniswap's generator (25a79e8, the code of its npm package 1.0.1) printed for `someClaims`. Of other
 * counts, `files.test.ts` has all that it printed.
 */
const UNISWAP_ROOTS: [count: number, root: string][] = [
  [1, "0x865c228ab8a5f8d8f063d36d216bddbd6b7e9289fbb720ba7162ed41bac648b9"],
  [2, "0x792a006699c5fe0efc1d0273389a6354d8b7ecafae99c5ed47c04cfe6e07c709"],
  [3, "0x8a770b5dfab19f76d90b3f75057c435b6075575faac63bccda5b3b47c26b7a75"],
  [1000, "0x4cc03d2dcc391652127df438bf6b54b08b9a082ea7fbb6cc0b1d6190a66019e4"],
];

describe("the three roots", () => {
  test.each(UNISWAP_ROOTS)("of %i claims are those of the tools", async (count, uniswap) => {
    const claims = someClaims(count);
    expect(await rootsOf(claims)).toEqual({ ...expectedRoots(claims), uniswap });
  });

  test("of more claims than are sorted in one part is what Uniswap's generator printed", async () => {
    expect(hexOf(await uniswapRoot(HOST, readerOf(someClaims(5000)), 5000))).toBe(
      "0xd9a89144a5b913680753eb0bfb2a5b566439c60e86b8d1cb5e89c87611e36e35",
    );
  });

  test("are the tools' for any claims, however addresses begin and however large amounts are", async () => {
    const digits = (count: number) =>
      fc.array(fc.constantFrom(..."0123456789abcdef"), { minLength: count, maxLength: count });
    // Many addresses that begin alike are sorted by what follows.
    const addresses = fc.oneof(
      digits(40),
      digits(2).map((end) => ["dead".repeat(9), "00", ...end]),
    );
    const amounts = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n });
    const claims = fc
      .uniqueArray(
        fc.tuple(
          addresses.map((parts) => `0x${parts.join("")}`),
          amounts,
        ),
        { minLength: 1, maxLength: 70, selector: ([address]) => address },
      )
      .map(claimsOf);
    await fc.assert(
      fc.asyncProperty(claims, async (given) => {
        const sum = given.reduce((all, { amount }) => all + amount, 0n);
        const expected = expectedRoots(given);
        expect(await rootsOf(given)).toEqual(sum < 2n ** 128n ? expected : { ...expected, sablier: null });
      }),
      { numRuns: 40 },
    );
  });

  test("have none of Sablier for what it refuses: one claim, or a sum beyond 128 bits", async () => {
    const [one, other] = someClaims(2) as [Claim, Claim];
    const within = [
      { ...one, amount: 2n ** 128n - 2n },
      { ...other, amount: 1n },
    ];
    const beyond = within.map((claim) => ({ ...claim, amount: claim.amount + 1n }));
    expect((await rootsOf([one])).sablier).toBeNull();
    expect((await rootsOf(within)).sablier).toBe(sablier(within).root);
    expect((await rootsOf(beyond)).sablier).toBeNull();
  });
});

describe("a tree", () => {
  test("is the same however the claims are read in parts", async () => {
    const claims = someClaims(10);
    const roots = await Promise.all(
      [1, 3, 10].map(async (perPart) =>
        hexOf((await makeClaimTree(HOST, readerOf(claims, perPart), 10)).root),
      ),
    );
    expect(new Set(roots).size).toBe(1);
  });

  test("is not made of fewer or more claims than were counted, or of claims out of order", async () => {
    const [one, two, three] = someClaims(3) as [Claim, Claim, Claim];
    const refused = (claims: Claim[]) =>
      expect(makeClaimTree(HOST, readerOf(claims), 2)).rejects.toThrow("Expected 2 claims in order.");
    await refused([one]);
    await refused([two, one]);
    await refused([one, two, three]);
  });

  test("lets other work run while it is made", async () => {
    const claims = someClaims(6000);
    let turns = 0;
    let isDone = false;
    const other = () => {
      turns += 1;
      if (!isDone) setImmediate(other);
    };
    setImmediate(other);
    await makeClaimTree(HOST, readerOf(claims, 1000), claims.length);
    isDone = true;
    // Leaves, their order, and the nodes above them: each takes several parts.
    expect(turns).toBeGreaterThan(8);
  });
});
