import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { snapshotBytes } from "@/server/snapshots/snapshot-text";
import { formatPoints } from "@/terms/points";
import { refusalOf } from "@/testing/expectations";
import { wallet } from "@/testing/factories";
import { useDatabase } from "@/testing/test-database";
import { type AllocationTerms, computeFigures, storeClaims } from "./allocate";
import { hexOf } from "./files/claim-text";
import { readClaims } from "./read-claims";
import type { AllocationPreview } from "./schema";

const db = useDatabase();

/** A holder's number and what it holds, in 10⁻¹² points. */
type Holding = [holder: number, units: bigint];

/** A snapshot of these holdings, in rows of `perRow`, as if it had been taken. @returns its ID */
async function snapshotFrom(holdings: readonly Holding[], perRow = 10_000): Promise<string> {
  const id = randomUUID();
  const sorted = [...holdings].sort(([a], [b]) => a - b);
  const sum = formatPoints(sorted.reduce((total, [, units]) => total + units, 0n));
  await db.sql`
    insert into snapshots (id, name, point_type, includes_contracts, as_of, requested_by, status, holders,
      points, left_out, ledger_total, digest, finished_at)
    values (${id}::uuid, 'x', 'PHASE2_POINTS', false, now(), 'ops', 'TAKEN', ${sorted.length}::int,
      ${sum}::text::numeric, 0, ${sum}::text::numeric, sha256(''), now())`;
  for (let at = 0; at < sorted.length; at += perRow) {
    const part = sorted.slice(at, at + perRow);
    const addresses = Buffer.concat(part.map(([holder]) => addressToBytes(wallet(holder))));
    await db.sql`
      insert into snapshot_holders (snapshot_id, first_address, addresses, points)
      values (${snapshotBytes(id)}, ${addresses.subarray(0, 20)}, ${addresses},
        ${`{${part.map(([, units]) => formatPoints(units)).join(",")}}`}::text::numeric[])`;
  }
  return id;
}

type Rule = Pick<AllocationTerms, "rule" | "total" | "rate" | "decimals" | "minimum"> & {
  excluded: number[];
};
type Expected = { claims: [holder: number, amount: bigint][]; dust: bigint } | "refused";

/** The same by the words of the rule, in whole numbers, without any of the service's SQL. */
function expected(holdings: readonly Holding[], rule: Rule): Expected {
  const minimum = BigInt(rule.minimum);
  const entitled = holdings.filter(([holder]) => !rule.excluded.includes(holder));
  const sumOf = (of: readonly Holding[]) => of.reduce((sum, [, units]) => sum + units, 0n);
  const claims = new Map<number, bigint>();
  let dust = 0n;
  if (rule.total === null) {
    const [whole, fraction = ""] = rule.rate!.split(".");
    const numerator = BigInt(whole! + fraction) * 10n ** BigInt(rule.decimals);
    const denominator = 10n ** BigInt(12 + fraction.length);
    let lost = 0n;
    for (const [holder, units] of entitled) {
      if (units * numerator < minimum * denominator) continue;
      claims.set(holder, (units * numerator) / denominator);
      lost += (units * numerator) % denominator;
    }
    dust = lost / denominator;
  } else {
    const total = BigInt(rule.total);
    if (entitled.length === 0) return "refused";
    const all = sumOf(entitled);
    const kept = entitled.filter(([, units]) => minimum === 1n || units * total >= minimum * all);
    if (kept.length === 0) return "refused";
    const weight = sumOf(kept);
    for (const [holder, units] of kept) claims.set(holder, (units * total) / weight);
    const given = [...claims.values()].reduce((sum, amount) => sum + amount, 0n);
    dust = total - given;
    // One at a time, to the one that was rounded down the most and has not got one yet.
    const waiting = kept.map(([holder, units]) => ({ holder, remainder: (units * total) % weight }));
    for (let left = dust; left > 0n; left--) {
      let next = 0;
      for (const [at, { holder, remainder }] of waiting.entries()) {
        const best = waiting[next]!;
        if (remainder > best.remainder || (remainder === best.remainder && holder < best.holder)) next = at;
      }
      const { holder } = waiting.splice(next, 1)[0]!;
      claims.set(holder, claims.get(holder)! + 1n);
    }
  }
  for (const [holder, amount] of claims) if (amount === 0n) claims.delete(holder);
  const sum = [...claims.values()].reduce((all, amount) => all + amount, 0n);
  if (claims.size === 0 || sum >= 2n ** 256n) return "refused";
  return { claims: [...claims].sort(([a], [b]) => a - b), dust };
}

const termsOf = (snapshotId: string, { excluded, ...rule }: Rule): AllocationTerms => ({
  ...rule,
  snapshotId,
  excluded: Buffer.concat([...new Set(excluded)].map((holder) => addressToBytes(wallet(holder)))),
});

/** What the service computes and stores. */
async function allocated(snapshotId: string, rule: Rule) {
  const terms = termsOf(snapshotId, rule);
  const id = snapshotBytes(randomUUID());
  const figures = await computeFigures(db.sql, terms);
  await db.sql.begin((tx) => storeClaims(tx, id, terms));
  return { id, figures, claims: await storedClaims(db, id, figures.claims) };
}

async function storedClaims({ sql }: Database, id: Buffer, count: number): Promise<[number, bigint][]> {
  const claims: [number, bigint][] = [];
  for await (const row of readClaims(sql, id, count)())
    for (const { index, address, amount } of row) {
      expect(index).toBe(claims.length);
      claims.push([Number(hexOf(address)), amount]);
    }
  return claims;
}

function figuresOf(
  holdings: readonly Holding[],
  leftOut: readonly number[],
  { claims, dust }: Exclude<Expected, "refused">,
) {
  const left = holdings.filter(([holder]) => leftOut.includes(holder));
  const unknown = [...new Set(leftOut)].filter((holder) => !left.some(([of]) => of === holder));
  const amounts = claims.map(([, amount]) => amount).sort((a, b) => (a < b ? -1 : 1));
  return {
    claims: claims.length,
    withoutClaim: holdings.length - claims.length,
    sum: String(amounts.reduce((sum, amount) => sum + amount, 0n)),
    dust: String(dust),
    smallest: String(amounts[0]),
    median: String(amounts[Math.ceil(amounts.length / 2) - 1]),
    largest: String(amounts.at(-1)),
    leftOut: {
      addresses: left.length + unknown.length,
      holders: left.length,
      unknown: unknown
        .sort((a, b) => a - b)
        .map((holder) => addressFromBytes(addressToBytes(wallet(holder)))),
      hasZero: false,
      points: formatPoints(left.reduce((sum, [, units]) => sum + units, 0n)),
    },
  } satisfies AllocationPreview;
}

const UNITS = 10n ** 12n;
const held = fc.oneof(
  fc.bigInt(1n, 5n),
  fc.bigInt(1n, 1000n).map((points) => points * UNITS),
  fc.bigInt(1n, 10n ** 38n),
);
const holdings: fc.Arbitrary<Holding[]> = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 })
  .chain((holders) => fc.tuple(...holders.map((holder) => held.map((units): Holding => [holder, units]))));
const decimals = fc.constantFrom(0, 1, 6, 12, 18, 36);
const excluded = fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 8 });
const minimum = fc.oneof(fc.constant("1"), fc.bigInt(1n, 10n ** 9n).map(String));
const proRata = fc.record({
  rule: fc.constant("PRO_RATA" as const),
  total: fc.oneof(fc.bigInt(1n, 100n), fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 2n ** 256n - 1n)).map(String),
  rate: fc.constant(null),
  ...{ decimals, excluded, minimum },
});
const fixedRate = fc
  .tuple(decimals, decimals, fc.bigInt(1n, 10n ** 20n), excluded, minimum)
  .map(([places, ratePlaces, units, leftOut, least]) => ({
    rule: "FIXED_RATE" as const,
    total: null,
    rate: tokensOf(units, ratePlaces),
    ...{ decimals: places, excluded: leftOut, minimum: least },
  }));

function tokensOf(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const RUNS = 150;

describe("an allocation of any holdings, by any rule,", () => {
  test("gives everybody what the rule says, and pro rata adds up to exactly the total", async () => {
    const seen = { refused: 0, dust: 0, below: 0, leftOut: 0 };
    const property = fc.asyncProperty(
      holdings,
      fc.oneof(proRata, fixedRate),
      fc.integer({ min: 1, max: 7 }),
      async (given, rule, perRow) => {
        const snapshotId = await snapshotFrom(given, perRow);
        const wanted = expected(given, rule);
        if (wanted === "refused") {
          seen.refused++;
          expect((await refusalOf(computeFigures(db.sql, termsOf(snapshotId, rule)))).code).toBe(
            "validation_failed",
          );
          return;
        }
        const { figures, claims } = await allocated(snapshotId, rule);
        expect(claims).toEqual(wanted.claims);
        expect(figures).toEqual(figuresOf(given, rule.excluded, wanted));
        if (rule.total !== null) expect(figures.sum).toBe(rule.total);
        expect(claims.every(([, amount]) => amount >= BigInt(rule.minimum))).toBe(true);
        if (wanted.dust > 0n) seen.dust++;
        if (figures.withoutClaim > 0) seen.below++;
        if (figures.leftOut.holders > 0) seen.leftOut++;
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    // The values are such that each kind of case is met.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });

  test.each([
    ["PRO_RATA", { total: "300", rate: null, minimum: "100", decimals: 0 }],
    ["FIXED_RATE", { total: null, rate: "1", minimum: "100", decimals: 0 }],
  ] as const)(
    "%s, gives a share of exactly the minimum, and nothing for one that is a hair below",
    async (kind, terms) => {
      const rule: Rule = { ...terms, rule: kind, excluded: [] };
      const equal: Holding[] = [1, 2, 3].map((holder) => [holder, 100n * UNITS]);
      expect((await allocated(await snapshotFrom(equal), rule)).claims).toHaveLength(3);
      const below: Holding[] = [...equal.slice(1), [4, 100n * UNITS - 1n]];
      const { claims } = await allocated(await snapshotFrom(below), rule);
      expect(claims.map(([holder]) => holder)).toEqual([2, 3]);
    },
  );

  test("of seven tickets gives one to each of seven of ten equal holders", async () => {
    const equal = Array.from({ length: 10 }, (_, at): Holding => [at + 1, UNITS]);
    const rule = { rule: "PRO_RATA", total: "7", rate: null, decimals: 0, minimum: "1" } as const;
    const { claims, figures } = await allocated(await snapshotFrom(equal), { ...rule, excluded: [] });
    expect(claims).toEqual(Array.from({ length: 7 }, (_, at) => [at + 1, 1n]));
    expect(figures).toMatchObject({ sum: "7", claims: 7, withoutClaim: 3 });
  });

  test("does not depend on the order in which rows are stored or excluded", async () => {
    const property = fc.asyncProperty(holdings, fc.oneof(proRata, fixedRate), async (given, rule) => {
      if (expected(given, rule) === "refused") return;
      const one = await allocated(await snapshotFrom(given, 1000), rule);
      const other = await snapshotFrom(given, 3);
      // The same rows in another order on disk.
      await db.sql`
        with taken as (delete from snapshot_holders where snapshot_id = ${snapshotBytes(other)} returning *)
        insert into snapshot_holders select * from taken order by first_address desc`;
      const turned = { ...rule, excluded: [...rule.excluded].reverse() };
      expect(await allocated(other, turned)).toEqual({ ...one, id: expect.any(Buffer) });
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test("is read whole by a download whose connection had a statement that timed out half-way", async () => {
    const rule = { rule: "FIXED_RATE", total: null, rate: "1", decimals: 0, minimum: "1" } as const;
    const { id, claims } = await allocated(await snapshotFrom([[1, UNITS]]), { ...rule, excluded: [] });
    const one = createDatabase({ url: db.url, poolMax: 1, timeoutSeconds: 1, pooler: "none" });
    const exported = one.sql`
      select repeat('x', 1000), case when n = 300 then pg_sleep(60) end from generate_series(1, 400) as n`;
    await expect(exported).rejects.toMatchObject({ code: "57014" });
    expect(await storedClaims(one, id, claims.length)).toEqual(claims);
    await one.close();
  });
});
