import fc from "fast-check";
import { expect, test } from "vitest";
import { monthOf, monthsBackTo, POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { grantPoints } from "@/server/ledger/issuances";
import { LIMITS } from "@/testing/factories";
import { LedgerModel, type ModelBatch } from "@/testing/model";
import { moveBatch, moveContract, moveGrant } from "@/testing/move-in-time";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../batches/change/cancel-batch";
import { reverseBatch } from "../batches/reversal/reverse-batch";
import { addressToBytes } from "../kernel/values/addresses";
import { formatPoints, parsePoints } from "../kernel/values/points";
import { catchUpRecipients } from "../recipients/index-recipients";
import { makeStatement } from "./make-statement";
import type { StatementOut } from "./schema";

const RUNS = Number(process.env.MODEL_RUNS ?? 25);
const SEED = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const MS_MAX = RUNS * 4000;
const HISTORY_MONTHS = 5;

const { db, context, newContract, submit, finalize, balance } = useLedger();

type Kind = "submit" | "finalize" | "cancel" | "grant" | "reverse";
interface Step {
  kind: Kind;
  contract: number;
  /** The other contract that a batch pays. */
  to: number;
  pointType: PointType;
  points: string;
  /** Milliseconds since the last step; null jumps to the start of the next month. */
  after: number | null;
}

const DAY_MS = 86_400_000;
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Kind>(
    "submit",
    "submit",
    "submit",
    "finalize",
    "finalize",
    "cancel",
    "grant",
    "reverse",
    "reverse",
  ),
  contract: fc.nat(2),
  to: fc.nat(2),
  pointType: fc.constantFrom<PointType>(...POINT_TYPES),
  points: fc.constantFrom("1", "0.000001", "12.5", "99999999999999999999.123456789012"),
  after: fc.oneof(fc.constant(null), fc.constantFrom(0, 1), fc.nat(9 * DAY_MS)),
});

type Figure = "issued" | "received" | "takenBack" | "sent" | "givenBack" | "cancelled";
/** What happened, from which the simplest correct code makes the expected statements. */
interface Fact {
  /** `reserved` and `released`: by reversals of other contracts. */
  figure: Figure | "created" | "reserved" | "released";
  contract: string;
  pointType: PointType;
  units: bigint;
  at: string;
}

/** The clock of a history. It moves forward, and stops at the present. */
class Clock {
  ms: number;
  constructor(readonly nowMs: number) {
    const now = new Date(nowMs);
    this.ms = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - HISTORY_MONTHS, 15);
  }
  move(after: number | null): string {
    const { ms } = this;
    const at = new Date(ms);
    const next = after === null ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1) : ms + after;
    if (next < this.nowMs) this.ms = next;
    return new Date(this.ms).toISOString();
  }
}

const totalOf = ({ rows }: ModelBatch) => rows.reduce((sum, [, points]) => sum + parsePoints(points), 0n);

async function live(steps: readonly Step[]) {
  const contracts = [await newContract(), await newContract(), await newContract({ issuance: "PREFUNDED" })];
  const model = new LedgerModel([contracts[2]!]);
  const facts: Fact[] = [];
  const clock = new Clock(Date.now());
  for (const contract of contracts) await moveContract(db, contract, new Date(clock.ms).toISOString());
  for (const [number, given] of steps.entries()) {
    const { kind, pointType, points } = given;
    const contract = contracts[given.contract]!;
    const at = clock.move(given.after);
    const open = model.batches.filter((batch) => batch.status === "PENDING");
    const key = { contractAddress: contract, batchId: `b-${number}` };
    if (kind === "grant" && model.prefunded.has(contract)) {
      await grantPoints(context("staff:ann@example.com"), { contractAddress: contract, pointType, points });
      await moveGrant(db, contract, at);
      model.grant(contract, pointType, points);
      facts.push({ figure: "issued", contract, pointType, units: parsePoints(points), at });
    }
    if (kind === "submit" && given.to !== given.contract) {
      const rows = [[contracts[given.to]!, points]] as const;
      const batch = {
        contract,
        id: key.batchId,
        pointType,
        wait: 0,
        rows,
        status: "PENDING" as const,
        isDue: true,
      };
      const before = model.account(contract, pointType).earned;
      if (model.submit(batch) !== "stored") continue;
      await submit(contract, rows, { batchId: key.batchId, pointType, secondsToFinalize: 3600 });
      await moveBatch(db, key, { createdAt: at });
      const issued = model.account(contract, pointType).earned - before;
      facts.push({ figure: "issued", contract, pointType, units: issued, at });
      facts.push({ figure: "created", contract, pointType, units: totalOf(batch), at });
    }
    if (kind === "cancel" && open.length > 0) {
      const batch = open[number % open.length]!;
      const cancelled = { contractAddress: batch.contract, batchId: batch.id };
      await cancelBatch(context(), cancelled);
      await moveBatch(db, cancelled, { cancelledAt: at });
      model.cancel(batch.contract, batch.id);
      if (batch.reverses === undefined)
        facts.push({ ...batch, figure: "cancelled", units: totalOf(batch), at });
      else
        facts.push({ ...batch, figure: "released", contract: batch.rows[0]![0], units: totalOf(batch), at });
    }
    const paid = model.batches.filter(
      ({ status, reverses }) => status === "FINALIZED" && reverses === undefined,
    );
    if (kind === "reverse" && paid.length > 0) {
      const original = paid[number % paid.length]!;
      const answered = model.reverse(original.contract, original.id, {
        id: key.batchId,
        wait: 0,
        chooses: () => true,
      });
      if (answered !== "stored") continue;
      const input = { contractAddress: original.contract, batchId: original.id, reversalId: key.batchId };
      await reverseBatch(context(), LIMITS, { ...input, secondsToFinalize: 3600 });
      await moveBatch(db, { contractAddress: original.contract, batchId: key.batchId }, { createdAt: at });
      const to = original.rows[0]![0];
      facts.push({ ...original, figure: "reserved", contract: to, units: totalOf(original), at });
    }
    if (kind === "finalize" && open.length > 0) {
      await makeDue(open);
      await finalize();
      model.finalize();
      for (const batch of open) {
        await moveBatch(db, { contractAddress: batch.contract, batchId: batch.id }, { finalizedAt: at });
        if (batch.reverses !== undefined) {
          facts.push({ ...batch, figure: "takenBack", units: totalOf(batch), at });
          const to = { ...batch, contract: batch.rows[0]![0], units: totalOf(batch), at };
          facts.push({ ...to, figure: "givenBack" }, { ...to, figure: "released" });
          continue;
        }
        facts.push({ ...batch, figure: "sent", units: totalOf(batch), at });
        for (const [to, sum] of batch.rows)
          facts.push({ ...batch, figure: "received", contract: to, units: parsePoints(sum), at });
      }
    }
  }
  return { contracts, facts, from: monthOf(new Date(new Clock(clock.nowMs).ms).toISOString()) };
}

/** Moves batches into the past, so that the finalizer takes them. The self-check requires due time = creation + wait. */
async function makeDue(open: readonly ModelBatch[]): Promise<void> {
  for (const { contract, id } of open) {
    const [row] = await db.sql<{ created_at: Date }[]>`
      select created_at from batches where contract_address = ${addressToBytes(contract)} and id = ${id}`;
    const createdAt = new Date(row!.created_at).toISOString();
    await moveBatch(db, { contractAddress: contract, batchId: id }, { createdAt, isDue: true });
  }
}

/** The statement that follows from the facts: sums of what happened before and in the month. */
function expected(facts: readonly Fact[], month: string, pointType: PointType): StatementOut {
  const sum = (figure: Fact["figure"], counts: (month: string) => boolean) =>
    facts
      .filter((fact) => fact.figure === figure && fact.pointType === pointType && counts(monthOf(fact.at)))
      .reduce((units, fact) => units + fact.units, 0n);
  const inMonth = (figure: Figure) => sum(figure, (at) => at === month);
  const held = (last: (at: string) => boolean) =>
    sum("issued", last) +
    sum("received", last) +
    sum("takenBack", last) -
    sum("sent", last) -
    sum("givenBack", last);
  const byEnd = (at: string) => at <= month;
  return {
    pointType,
    opening: formatPoints(held((at) => at < month)),
    issued: formatPoints(inMonth("issued")),
    received: formatPoints(inMonth("received")),
    ...(inMonth("takenBack") > 0n ? { takenBack: formatPoints(inMonth("takenBack")) } : {}),
    sent: formatPoints(inMonth("sent")),
    ...(inMonth("givenBack") > 0n ? { givenBack: formatPoints(inMonth("givenBack")) } : {}),
    closing: formatPoints(held(byEnd)),
    pending: formatPoints(
      sum("created", byEnd) -
        sum("sent", byEnd) -
        sum("cancelled", byEnd) +
        sum("reserved", byEnd) -
        sum("released", byEnd),
    ),
    cancelled: formatPoints(inMonth("cancelled")),
  };
}

/** The histories of a run overlap in time, but the index by recipient only moves forward. */
async function reindex(): Promise<void> {
  await db.sql`delete from recipient_transfers`;
  await db.sql`update recipient_progress set created_at = '1970-01-01T00:00:00Z', batch_seq = 0`;
  await catchUpRecipients(db, 20);
}

async function expectStatements({ contracts, facts, from }: Awaited<ReturnType<typeof live>>): Promise<void> {
  for (const contract of contracts) {
    const own = facts.filter((fact) => fact.contract === contract);
    const { currentMonth } = await makeStatement(context(), { contractAddress: contract, month: from });
    let closing: string[] = POINT_TYPES.map(() => "0");
    for (const month of monthsBackTo(from, currentMonth, 100).reverse()) {
      const { statements } = await makeStatement(context(), { contractAddress: contract, month });
      expect(statements, month).toEqual(POINT_TYPES.map((type) => expected(own, month, type)));
      for (const { takenBack = "0", givenBack = "0", ...figures } of statements) {
        const [plus, minus] = [
          [figures.opening, figures.issued, figures.received, takenBack],
          [figures.sent, givenBack, figures.closing],
        ].map((amounts) => amounts.reduce((sum, points) => sum + parsePoints(points), 0n));
        expect(plus).toBe(minus);
      }
      expect(statements.map(({ opening }) => opening)).toEqual(closing);
      closing = statements.map((statement) => statement.closing);
    }
    for (const [place, type] of POINT_TYPES.entries()) {
      const now = await balance(contract, type);
      expect(closing[place]).toBe(formatPoints(parsePoints(now.available) + parsePoints(now.pendingSent)));
    }
  }
}

/** MODEL_SEED repeats a run. */
test(
  `statements of ${RUNS} random histories match what happened, each opens as the last one closed, and the last one closes with the balance`,
  async () => {
    let facts = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      const history = await live(steps);
      await reindex();
      await expectStatements(history);
      facts += history.facts.length;
    });
    await fc.assert(property, {
      seed: SEED,
      numRuns: RUNS,
      interruptAfterTimeLimit: MS_MAX,
      markInterruptAsFailure: true,
    });
    expect(facts, `MODEL_SEED=${SEED}`).toBeGreaterThan(RUNS);
  },
  MS_MAX + 30_000,
);
