import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "@/db/client";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { cancelPayout } from "@/server/payouts/cancel-payout";
import { releasePayout } from "@/server/payouts/release-payout";
import { endLeases } from "@/testing/catch-up";
import { expectLedgerToBalance } from "@/testing/expectations";
import {
  type BatchOptions,
  batchOf,
  LIMITS,
  newPerson,
  setRule,
  testContext,
  wallet,
} from "@/testing/factories";
import {
  finalizing,
  interleavings,
  lockAccount,
  runInOrder,
  stepsOf,
  type Transaction,
  untilBlocked,
} from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { startBulk, stopBulk } from "./bulk/jobs";
import { previewBulk } from "./bulk/preview-bulk";
import { approveBatch, rejectBatch } from "./change/approve-batch";
import { cancelBatch, cancelGroup } from "./change/cancel-batch";
import { holdBatch, holdGroup, releaseBatch, releaseGroup } from "./change/hold-batch";
import { findBatch } from "./list/get-batch";
import { reverseBatch, reverseGroup } from "./reversal/reverse-batch";
import { listPayments } from "./submit/references";
import { submitBatch } from "./submit/submit-batch";

const { db, context, newContract, finalize, balance } = useLedger();

type Ends = Transaction["ends"];
type Client = (contract: string) => Transaction[];
/** A client with one transaction. */
const client =
  (run: (own: Database, contract: string) => Promise<unknown>) =>
  (ends: Ends): Client =>
  (contract) => [{ ends, run: (own) => run(own, contract) }];

const batch = (contract: string, points = "5") => {
  const rows = [[1, points] as const, [2, "1"] as const];
  return batchOf(contract, rows, { batchId: "b" });
};
const decision = (contract: string) => ({ contractAddress: contract, batchId: "b", reason: "looked at" });
const [ann, bob] = ["staff:ann@example.com", "staff:bob@example.com"];

const submitting = (points: string) =>
  client((own, contract) => submitBatch(testContext(own), LIMITS, batch(contract, points)));
const cancelling = client((own, contract) =>
  cancelBatch(testContext(own), { contractAddress: contract, batchId: "b" }),
);
const approving = client((own, contract) => approveBatch(testContext(own, ann), decision(contract)));
const rejecting = client((own, contract) => rejectBatch(testContext(own, bob), decision(contract)));
const finalizer =
  (ends: Ends): Client =>
  () =>
    finalizing(ends);

const store = (contract: string) => submitBatch(context(), LIMITS, batch(contract));
const codeOf = (result: unknown) => (result as { code?: string }).code;

/** Expires leases left by crashes and finalizes the rest. Every race must end with a balanced ledger and nothing open. */
async function settleDown(): Promise<void> {
  await expectLedgerToBalance(db);
  await endLeases(db);
  expect(await finalize()).toMatchObject({ failure: null, dueLeft: 0 });
}

/** What is stored before the race. */
type Stored = "nothing" | "a batch" | "a batch that awaits approval";
const RACES: [name: string, stored: Stored, a: (ends: Ends) => Client, b: Client][] = [
  ["submit and the same submit", "nothing", submitting("5"), submitting("5")("commit")],
  ["submit and another submit under its ID", "nothing", submitting("5"), submitting("6")("commit")],
  ["submit and cancel", "nothing", submitting("5"), cancelling("commit")],
  ["submit and finalize", "nothing", submitting("5"), finalizer("commit")],
  ["cancel and repeated submit", "a batch", cancelling, submitting("5")("commit")],
  ["cancel and cancel", "a batch", cancelling, cancelling("commit")],
  ["cancel and finalize", "a batch", cancelling, finalizer("commit")],
  ["cancel and crashing finalizer", "a batch", cancelling, finalizer("rollback")],
  ["finalize and finalize", "a batch", finalizer, finalizer("commit")],
  ["approve and approve", "a batch that awaits approval", approving, approving("commit")],
  ["approve and reject", "a batch that awaits approval", approving, rejecting("commit")],
  ["approve and cancel", "a batch that awaits approval", approving, cancelling("commit")],
  ["approve and finalize", "a batch that awaits approval", approving, finalizer("commit")],
  ["reject and finalize", "a batch that awaits approval", rejecting, finalizer("commit")],
];

const cases = RACES.flatMap(([name, stored, a, b]) => [
  [name, stored, a("commit"), b] as const,
  [`${name}, one rolled back`, stored, a("rollback"), b] as const,
]);

/** Two files share the rows, so that two workers run them: this one, and other-half.race.test.ts. */
const HALF = process.env.RACE_HALF === "other" ? 1 : 0;
const half = <Row>(rows: readonly Row[]): Row[] => rows.filter((_, at) => at % 2 === HALF);
const ordersOf = (a: Client, b: Client) => interleavings(stepsOf(a("")), stepsOf(b("")));

describe("every interleaving of two clients", () => {
  test.each(half(cases))("%s", async (_, stored, a, b) => {
    const orders = ordersOf(a, b);
    expect(orders.length).toBeGreaterThanOrEqual(6);
    const isRuled = stored === "a batch that awaits approval";
    for (const order of orders) {
      const contract = await newContract();
      if (isRuled) await setRule(db, contract, { threshold: "1" });
      if (stored !== "nothing") await store(contract);
      const ended = await runInOrder(db, order, { a: a(contract), b: b(contract) });
      const errors = [...ended.a.results, ...ended.b.results].filter((result) => result instanceof Error);
      for (const error of errors)
        expect(
          ["batch_id_conflict", "batch_cancelled", "not_cancellable", "batch_not_found", "validation_failed"],
          order,
        ).toContain(codeOf(error));
      await settleDown();
      const batches = await db.sql`
        select status, awaits_approval, approved_at from batches
        where contract_address = ${addressToBytes(contract)}`;
      expect(batches.length, order).toBeLessThanOrEqual(1);
      for (const { status, awaits_approval: awaits, approved_at: approved } of batches) {
        expect(awaits ? ["PENDING", "CANCELLED"] : ["FINALIZED", "CANCELLED"], order).toContain(status);
        if (isRuled && status === "FINALIZED") expect(approved, order).not.toBeNull();
      }
    }
  });
});

/** The bulk job over each contract's only batch. */
const jobs = new Map<string, string>();
const jobOf = (contract: string) => ({ jobId: jobs.get(contract)! });
/** What a worker does with the only item of a job. */
const working = (change: typeof holdGroup | typeof cancelGroup) =>
  client(async (own, contract) => {
    const items = { ...jobOf(contract), positions: [0] };
    const group = { contractAddress: contract, batchIds: ["b"], reason: "looked at", items };
    return (await change(testContext(own, ann), group)) === 1;
  })("commit");
const [releasing, jobHolding] = [
  client((own, contract) => releaseBatch(testContext(own, bob), decision(contract)))("commit"),
  working(holdGroup),
];
const CLIENTS = {
  submit: submitting("5")("commit"),
  "submit other content": submitting("6")("commit"),
  cancel: cancelling("commit"),
  approve: approving("commit"),
  reject: rejecting("commit"),
  hold: client((own, contract) => holdBatch(testContext(own, bob), decision(contract)))("commit"),
  release: releasing,
  finalize: finalizer("commit"),
  "crash while finalizing": finalizer("rollback"),
  "cancel for a job": working(cancelGroup),
  "hold for a job": jobHolding,
  "hold for a job, then release": (contract) => [...jobHolding(contract), ...releasing(contract)],
  "stop the job": client((own, contract) => stopBulk(testContext(own, bob), jobOf(contract)))("commit"),
} satisfies Record<string, Client>;

type Verb = keyof typeof CLIENTS;
type Start = "nothing" | "a batch" | "on hold" | "awaits approval" | "job";
/** All ways in which a race can end: what each client got at last, and the batch's state. */
const ENDS: [a: Verb, b: Verb, start: Start, ...ends: string[]][] = [
  ["submit", "submit", "nothing", "done, repeated: FINALIZED", "repeated, done: FINALIZED"],
  [
    "submit",
    "submit other content",
    "nothing",
    "batch_id_conflict, done: FINALIZED",
    "done, batch_id_conflict: FINALIZED",
  ],
  ["cancel", "cancel", "a batch", "done, not_cancellable: CANCELLED", "not_cancellable, done: CANCELLED"],
  ["cancel", "finalize", "a batch", "done, nothing: CANCELLED", "not_cancellable, settled: FINALIZED"],
  ["hold", "hold", "a batch", "done, refused: PENDING held", "refused, done: PENDING held"],
  ["hold", "cancel", "a batch", "done, done: CANCELLED held", "refused, done: CANCELLED"],
  ["hold", "finalize", "a batch", "done, nothing: PENDING held", "refused, settled: FINALIZED"],
  ["hold", "crash while finalizing", "a batch", "done, nothing: PENDING held", "refused, settled: FINALIZED"],
  ["release", "finalize", "on hold", "done, nothing: FINALIZED", "done, settled: FINALIZED"],
  ["release", "cancel", "on hold", "done, done: CANCELLED", "refused, done: CANCELLED held"],
  ["approve", "hold", "awaits approval", "done, done: PENDING held"],
  ["approve", "finalize", "awaits approval", "done, nothing: FINALIZED", "done, settled: FINALIZED"],
  ["approve", "reject", "awaits approval", "done, refused: FINALIZED", "refused, done: CANCELLED awaiting"],
  [
    "reject",
    "cancel",
    "awaits approval",
    "done, not_cancellable: CANCELLED awaiting",
    "refused, done: CANCELLED awaiting",
  ],
  ["cancel for a job", "cancel for a job", "job", "done, nothing: CANCELLED", "nothing, done: CANCELLED"],
  ["cancel for a job", "cancel", "job", "done, not_cancellable: CANCELLED", "nothing, done: CANCELLED"],
  ["cancel for a job", "finalize", "job", "done, nothing: CANCELLED", "nothing, settled: FINALIZED"],
  ["cancel for a job", "stop the job", "job", "done, done: CANCELLED", "nothing, done: FINALIZED"],
  // The second worker of a job does not repeat what somebody undid.
  [
    "hold for a job, then release",
    "hold for a job",
    "job",
    "done, done: FINALIZED",
    "done, nothing: FINALIZED",
  ],
];

/** The answer to a client's last transaction. */
function answerOf(results: unknown[]): string {
  const result = results.at(-1);
  const code = result instanceof Error ? (codeOf(result) ?? result.message) : null;
  if (code) return code === "validation_failed" ? "refused" : code;
  type Answer = { replayed?: boolean; batches?: number; cancelled?: number; changed?: number };
  const { replayed, batches, cancelled, changed } = (result || {}) as Answer;
  if (changed !== undefined) return `${changed} changed`;
  if (cancelled !== undefined) return `${cancelled} cancelled`;
  if (result === false || batches === 0) return "nothing";
  return batches ? "settled" : replayed ? "repeated" : "done";
}

beforeAll(() => newPerson(db, { email: "ann@example.com", role: "operator" }));

describe("every interleaving of two clients ends as it may, and in no other way", () => {
  async function startJob(contract: string, verb: Verb): Promise<void> {
    const action = verb.startsWith("cancel") ? "cancel" : "hold";
    const chosen = { filters: { contractAddress: contract } };
    const { jobId } = await previewBulk(context(ann), { action, chosen });
    jobs.set(contract, (await startBulk(context(ann), { jobId, reason: "looked at" })).jobId);
  }
  test.each(half(ENDS))("%s, %s: %s", async (a, b, start, ...ends) => {
    const [one, other] = [CLIENTS[a], CLIENTS[b]];
    const seen = new Set<string>();
    for (const order of ordersOf(one, other)) {
      const contract = await newContract();
      if (start === "awaits approval") await setRule(db, contract, { threshold: "1" });
      if (start !== "nothing") await store(contract);
      if (start === "on hold") await holdBatch(context(bob), decision(contract));
      if (start === "job") await startJob(contract, a);
      const ended = await runInOrder(db, order, { a: one(contract), b: other(contract) });
      await settleDown();
      const { status, heldAt, awaitsApproval } = await findBatch(context(), contract, "b");
      const state = [status, heldAt && "held", awaitsApproval && "awaiting"].filter(Boolean).join(" ");
      seen.add(`${answerOf(ended.a.results)}, ${answerOf(ended.b.results)}: ${state}`);
    }
    expect([...seen].sort()).toEqual(ends.sort());
  });
});

/** Whom each contract's batch paid: a PREFUNDED contract 5 points, and three wallets 1 point each. */
const paidTo = new Map<string, string[]>();
const rowsFor = (contract: string) =>
  paidTo.get(contract)!.map((to, at) => [to, at === 0 ? "5" : "1"] as const);
/** @param places which recipients it takes from; absent: all */
const reversing = (reversalId: string, places?: number[], ends: Ends = "commit") =>
  client((own, contract) =>
    reverseBatch(testContext(own), LIMITS, {
      contractAddress: contract,
      batchId: "b",
      reversalId,
      secondsToFinalize: 0,
      ...(places && { toAddresses: places.map((at) => paidTo.get(contract)![at]!) }),
    }),
  )(ends);
const REVERSAL_CLIENTS = {
  reverse: reversing("r"),
  "reverse, rolled back": reversing("r", undefined, "rollback"),
  "reverse under another ID": reversing("q"),
  "reverse two rows": reversing("r", [1, 2]),
  "reverse one of these and a third": reversing("q", [3, 2]),
  "take back for a job": client(async (own, contract) => {
    const items = { ...jobOf(contract), positions: [0] };
    const group = { contractAddress: contract, batchIds: ["b"], reason: "looked at", items };
    return (await reverseGroup(testContext(own, ann), { ...group, waitSeconds: 0, needs: {} })) === 1;
  })("commit"),
  "stop the job": client((own, contract) => stopBulk(testContext(own, bob), jobOf(contract)))("commit"),
  "cancel the reversal": client((own, contract) =>
    cancelBatch(testContext(own), { contractAddress: contract, batchId: "r" }),
  )("commit"),
  spend: client((own, contract) => {
    const [spender, to] = paidTo.get(contract)!;
    return submitBatch(testContext(own), LIMITS, batchOf(spender!, [[to!, "2"]], { batchId: "s" }));
  })("commit"),
  finalize: finalizer("commit"),
  "crash while finalizing": finalizer("rollback"),
} satisfies Record<string, Client>;

type ReversalVerb = keyof typeof REVERSAL_CLIENTS;
type PaidStart = "paid" | "being reversed" | "being paid again";
/** As above, with the states of the reversals. A constraint that ends the client's own transaction is 25P02. */
const REVERSAL_ENDS: [a: ReversalVerb, b: ReversalVerb, start: PaidStart, ...ends: string[]][] = [
  ["reverse", "reverse under another ID", "paid", "done, 25P02: r FINALIZED", "25P02, done: q FINALIZED"],
  [
    "reverse, rolled back",
    "reverse under another ID",
    "paid",
    "done, done: q FINALIZED",
    "25P02, done: q FINALIZED",
  ],
  [
    "reverse two rows",
    "reverse one of these and a third",
    "paid",
    "done, 25P02: r FINALIZED",
    "25P02, done: q FINALIZED",
  ],
  ["reverse", "reverse", "paid", "done, repeated: r FINALIZED", "repeated, done: r FINALIZED"],
  ["reverse", "spend", "paid", "done, 25P02: r FINALIZED", "25P02, done: "],
  ["reverse", "finalize", "being paid again", "done, settled: r FINALIZED"],
  [
    "cancel the reversal",
    "finalize",
    "being reversed",
    "done, nothing: r CANCELLED",
    "not_cancellable, settled: r FINALIZED",
  ],
  [
    "cancel the reversal",
    "crash while finalizing",
    "being reversed",
    "done, nothing: r CANCELLED",
    "not_cancellable, settled: r FINALIZED",
  ],
  [
    "cancel the reversal",
    "reverse under another ID",
    "being reversed",
    "done, done: q FINALIZED, r CANCELLED",
    "done, 25P02: r CANCELLED",
  ],
  [
    "cancel the reversal",
    "cancel the reversal",
    "being reversed",
    "done, not_cancellable: r CANCELLED",
    "not_cancellable, done: r CANCELLED",
  ],
  ["reverse under another ID", "finalize", "being reversed", "25P02, settled: r FINALIZED"],
  [
    "take back for a job",
    "take back for a job",
    "paid",
    "done, nothing: job FINALIZED",
    "nothing, done: job FINALIZED",
  ],
  [
    "take back for a job",
    "reverse",
    "paid",
    "23505, done: r FINALIZED",
    "done, 25P02: job FINALIZED",
    "nothing, done: r FINALIZED",
  ],
  ["take back for a job", "stop the job", "paid", "done, done: job FINALIZED", "nothing, done: "],
  // Of a recipient who has spent them, the points stay.
  [
    "take back for a job",
    "spend",
    "paid",
    "23514, done: ",
    "done, 25P02: job FINALIZED",
    "done, done: job FINALIZED",
  ],
  [
    "take back for a job",
    "cancel the reversal",
    "being reversed",
    "done, done: r CANCELLED, job FINALIZED",
    "nothing, done: r CANCELLED",
  ],
];

describe("every interleaving with a reversal ends as it may, and takes no row back twice", () => {
  let wallets = 0xa000;

  async function paidContract(start: PaidStart): Promise<string> {
    const [contract, spender] = [await newContract(), await newContract({ issuance: "PREFUNDED" })];
    paidTo.set(contract, [spender, ...Array.from({ length: 3 }, () => wallet(wallets++))]);
    const pay = (batchId: string) =>
      submitBatch(context(), LIMITS, {
        ...batchOf(contract, rowsFor(contract), { batchId }),
        payoutId: batchId,
      });
    await pay("b");
    await finalize();
    const chosen = { filters: { contractAddress: contract, payoutId: "b" } };
    const { jobId } = await previewBulk(context(ann), { action: "reverse", chosen });
    jobs.set(contract, (await startBulk(context(ann), { jobId, reason: "looked at" })).jobId);
    if (start === "being reversed") await REVERSAL_CLIENTS.reverse(contract)[0]!.run(db);
    if (start === "being paid again") await pay("again");
    return contract;
  }

  test.each(half(REVERSAL_ENDS))("%s, %s: %s", async (a, b, start, ...ends) => {
    const [one, other] = [REVERSAL_CLIENTS[a], REVERSAL_CLIENTS[b]];
    const seen = new Set<string>();
    for (const order of ordersOf(one, other)) {
      const contract = await paidContract(start);
      const ended = await runInOrder(db, order, { a: one(contract), b: other(contract) });
      await settleDown();
      const address = addressToBytes(contract);
      const reversals = await db.sql<{ id: string; status: string }[]>`
        select id, status from batches where contract_address = ${address} and reverses_seq is not null order by id`;
      const states = reversals.map(
        ({ id, status }) => `${id.startsWith("reversal-") ? "job" : id} ${status}`,
      );
      seen.add(`${answerOf(ended.a.results)}, ${answerOf(ended.b.results)}: ${states.join(", ")}`);
      const [taken] = await db.sql<{ rows: number; marks: number; points: string }[]>`
        select coalesce(sum(transfer_count), 0)::int as rows, coalesce(sum(points), 0)::float8::text as points,
          (select count(*)::int from reversed_transfers where contract_address = ${address}) as marks
        from batches where contract_address = ${address} and reverses_seq is not null and status = 'FINALIZED'`;
      expect(taken!.rows, order).toBe(taken!.marks);
      expect(taken!.rows, order).toBeLessThanOrEqual(4);
      expect((await balance(contract)).receivedCumulative, order).toBe(taken!.points);
    }
    expect([...seen].sort()).toEqual(ends.sort());
  });
});

/** Two rows, the second with a reference that other batches pay too. */
const payingX = (batchId: string, ends: Ends = "commit", options: BatchOptions = {}) =>
  client((own, contract) =>
    submitBatch(
      testContext(own),
      LIMITS,
      batchOf(contract, [[1, "1", batchId] as const, [2, "1", "x"] as const], { batchId, ...options }),
    ),
  )(ends);
const REFERENCE_CLIENTS = {
  "pay as b": payingX("b"),
  "pay as b, rolled back": payingX("b", "rollback"),
  "pay as c": payingX("c"),
  "pay as c in gold": payingX("c", "commit", { pointType: "PHASE2_GOLD" }),
  "pay as d": payingX("d"),
  "cancel b": cancelling("commit"),
  "cancel b, rolled back": cancelling("rollback"),
  finalize: finalizer("commit"),
  "crash while finalizing": finalizer("rollback"),
} satisfies Record<string, Client>;

type ReferenceVerb = keyof typeof REFERENCE_CLIENTS;
type ReferenceStart = "nothing" | "b" | "b cancelled" | "b being reversed";
/** As above, with every batch that pays the reference. */
const REFERENCE_ENDS: [a: ReferenceVerb, b: ReferenceVerb, start: ReferenceStart, ...ends: string[]][] = [
  [
    "pay as b",
    "pay as c",
    "nothing",
    "done, reference_already_paid: b FINALIZED",
    "reference_already_paid, done: c FINALIZED",
  ],
  [
    "pay as b",
    "pay as c in gold",
    "nothing",
    "done, reference_already_paid: b FINALIZED",
    "reference_already_paid, done: c FINALIZED",
  ],
  [
    "pay as b, rolled back",
    "pay as c",
    "nothing",
    "done, done: c FINALIZED",
    "reference_already_paid, done: c FINALIZED",
  ],
  ["pay as b", "pay as b", "nothing", "done, repeated: b FINALIZED", "repeated, done: b FINALIZED"],
  [
    "cancel b",
    "pay as c",
    "b",
    "done, done: b CANCELLED, c FINALIZED",
    "done, reference_already_paid: b CANCELLED",
  ],
  ["cancel b, rolled back", "pay as c", "b", "done, reference_already_paid: b PENDING"],
  [
    "pay as c",
    "pay as d",
    "b cancelled",
    "done, reference_already_paid: b CANCELLED, c FINALIZED",
    "reference_already_paid, done: b CANCELLED, d FINALIZED",
  ],
  [
    "pay as d",
    "pay as c in gold",
    "b cancelled",
    "done, reference_already_paid: b CANCELLED, d FINALIZED",
    "reference_already_paid, done: b CANCELLED, c FINALIZED",
  ],
  [
    "finalize",
    "pay as c",
    "b being reversed",
    "settled, done: b FINALIZED, c FINALIZED",
    "settled, reference_already_paid: b FINALIZED",
  ],
  ["crash while finalizing", "pay as c", "b being reversed", "settled, reference_already_paid: b FINALIZED"],
];

describe("every interleaving of batches with the same reference ends as it may, and pays it once", () => {
  async function startWith(start: ReferenceStart): Promise<string> {
    const contract = await newContract();
    const wait = start === "b being reversed" ? 0 : 3600;
    if (start !== "nothing") await payingX("b", "commit", { secondsToFinalize: wait })(contract)[0]!.run(db);
    if (start === "b cancelled") await cancelBatch(context(), { contractAddress: contract, batchId: "b" });
    if (start !== "b being reversed") return contract;
    await finalize();
    const reversal = { contractAddress: contract, batchId: "b", reversalId: "r", secondsToFinalize: 0 };
    await reverseBatch(context(), LIMITS, reversal);
    return contract;
  }

  test.each(half(REFERENCE_ENDS))("%s, %s: %s", async (a, b, start, ...ends) => {
    const [one, other] = [REFERENCE_CLIENTS[a], REFERENCE_CLIENTS[b]];
    const seen = new Set<string>();
    for (const order of ordersOf(one, other)) {
      const contract = await startWith(start);
      const ended = await runInOrder(db, order, { a: one(contract), b: other(contract) });
      await settleDown();
      const payments = await listPayments(context(), { contractAddress: contract, reference: "x" });
      const paid = payments.filter(({ status, takenBack }) => status !== "CANCELLED" && !takenBack);
      expect(paid.length, order).toBeLessThanOrEqual(1);
      const states = payments.map(({ batchId, status }) => `${batchId} ${status}`).sort();
      seen.add(`${answerOf(ended.a.results)}, ${answerOf(ended.b.results)}: ${states.join(", ")}`);
    }
    expect([...seen].sort()).toEqual(ends.sort());
  });
});

const PARTS = [1, 2];
const releasingWhole = client((own, contract) =>
  releasePayout(testContext(own, ann), {
    ...{ contractAddress: contract, payoutId: "f" },
    seen: { batches: PARTS.length, points: "2" },
  }),
);
const cancellingWhole = client((own, contract) =>
  cancelPayout(testContext(own), { contractAddress: contract, payoutId: "f" }),
);
const changingPart = (change: typeof cancelBatch | typeof holdBatch, number: number) =>
  client((own, contract) =>
    change(testContext(own, bob), { contractAddress: contract, batchId: `f.${number}`, reason: "looked at" }),
  );
/** What a worker does with both parts, as one group. */
const changingAll = (change: typeof cancelGroup) =>
  client(async (own, contract) => {
    const group = {
      contractAddress: contract,
      batchIds: PARTS.map((part) => `f.${part}`),
      reason: "looked at",
    };
    return { changed: await change(testContext(own, bob), group) };
  })("commit");
const PAYOUT_CLIENTS = {
  "release the whole": releasingWhole("commit"),
  "release the whole, rolled back": releasingWhole("rollback"),
  "release the whole, then finalize": (contract) => [
    ...releasingWhole("commit")(contract),
    ...finalizing("commit"),
  ],
  "cancel the whole": cancellingWhole("commit"),
  "cancel the whole, rolled back": cancellingWhole("rollback"),
  "cancel the first part": changingPart(cancelBatch, 1)("commit"),
  "cancel the last part": changingPart(cancelBatch, 2)("commit"),
  "cancel the last part, rolled back": changingPart(cancelBatch, 2)("rollback"),
  "hold the last part": changingPart(holdBatch, 2)("commit"),
  "release the last part": changingPart(releaseBatch, 2)("commit"),
  "cancel for a job": changingAll(cancelGroup),
  "hold for a job": changingAll(holdGroup),
  "release for a job": changingAll(releaseGroup),
  finalize: finalizer("commit"),
} satisfies Record<string, Client>;

type PayoutVerb = keyof typeof PAYOUT_CLIENTS;
/** Begins an end that depends on who takes a lock first. */
const PERHAPS = "perhaps ";

/** As above, with what became of both parts of a file. What is released is paid, since it is due. */
const PAYOUT_ENDS: [a: PayoutVerb, b: PayoutVerb, ...ends: string[]][] = [
  [
    "cancel the first part",
    "release the whole",
    "done, done: CANCELLED, FINALIZED",
    "done, refused: CANCELLED, held",
  ],
  [
    "cancel the last part",
    "release the whole",
    "done, done: FINALIZED, CANCELLED",
    "done, refused: held, CANCELLED",
  ],
  ["cancel the last part, rolled back", "release the whole", "done, done: FINALIZED, FINALIZED"],
  [
    "cancel the last part",
    "release the whole, rolled back",
    "done, done: held, CANCELLED",
    "done, refused: held, CANCELLED",
  ],
  ["release the whole", "release the whole", "done, done: FINALIZED, FINALIZED"],
  [
    "release the whole",
    "finalize",
    "done, nothing: FINALIZED, FINALIZED",
    "done, settled: FINALIZED, FINALIZED",
  ],
  ["hold the last part", "release the whole", "done, done: FINALIZED, PENDING", "done, refused: held, held"],
  ["release the last part", "release the whole", "refused, done: FINALIZED, FINALIZED"],
  ["release for a job", "release the whole", "0 changed, done: FINALIZED, FINALIZED"],
  ["release for a job", "hold for a job", "0 changed, 2 changed: held, held"],
  [
    "hold for a job",
    "release the whole",
    "2 changed, done: PENDING, PENDING",
    "2 changed, refused: held, held",
  ],
  [
    "cancel for a job",
    "release the whole, then finalize",
    "0 changed, settled: FINALIZED, FINALIZED",
    "perhaps 1 changed, settled: CANCELLED, FINALIZED",
    "2 changed, nothing: CANCELLED, CANCELLED",
  ],
  [
    "cancel for a job",
    "hold for a job",
    "2 changed, 0 changed: CANCELLED, CANCELLED",
    "2 changed, 2 changed: CANCELLED, CANCELLED",
  ],
  [
    "cancel the whole",
    "release the whole, then finalize",
    "0 cancelled, settled: FINALIZED, FINALIZED",
    // When the release commits, one takes the first part and the other what it finds of the rest.
    "perhaps 1 cancelled, settled: CANCELLED, FINALIZED",
    "2 cancelled, nothing: CANCELLED, CANCELLED",
  ],
  [
    "cancel the whole, rolled back",
    "release the whole, then finalize",
    "0 cancelled, settled: FINALIZED, FINALIZED",
    "perhaps 1 cancelled, settled: FINALIZED, FINALIZED",
    "2 cancelled, nothing: FINALIZED, FINALIZED",
    "2 cancelled, settled: FINALIZED, FINALIZED",
  ],
  [
    "cancel the whole",
    "cancel the whole",
    "0 cancelled, 2 cancelled: CANCELLED, CANCELLED",
    "2 cancelled, 0 cancelled: CANCELLED, CANCELLED",
  ],
  [
    "cancel the whole",
    "cancel the last part",
    "1 cancelled, done: CANCELLED, CANCELLED",
    "2 cancelled, not_cancellable: CANCELLED, CANCELLED",
  ],
];

describe("every interleaving with the release or the cancel of a payout ends as it may, and releases no others than were seen", () => {
  test.each(half(PAYOUT_ENDS))("%s, %s", async (a, b, ...ends) => {
    const [one, other] = [PAYOUT_CLIENTS[a], PAYOUT_CLIENTS[b]];
    const seen = new Set<string>();
    for (const order of ordersOf(one, other)) {
      const contract = await newContract();
      for (const part of PARTS) {
        const payout = { id: "f", part, partCount: PARTS.length, fileName: "f.csv" };
        const input = batchOf(contract, [[part, "1"]], { batchId: `f.${part}` });
        await submitBatch(context(ann), LIMITS, { ...input, payout });
      }
      const ended = await runInOrder(db, order, { a: one(contract), b: other(contract) });
      await settleDown();
      const parts = await db.sql<{ state: string }[]>`
        select case when status = 'PENDING' and held_for_payout then 'held' else status::text end as state
        from batches where contract_address = ${addressToBytes(contract)} order by id`;
      const states = parts.map(({ state }) => state).join(", ");
      seen.add(`${answerOf(ended.a.results)}, ${answerOf(ended.b.results)}: ${states}`);
    }
    const certain = ends.filter((end) => !end.startsWith(PERHAPS));
    expect([...seen]).toEqual(expect.arrayContaining(certain));
    expect(ends.map((end) => end.replace(PERHAPS, ""))).toEqual(expect.arrayContaining([...seen]));
  });
});

test("the rows of both halves have all their interleavings", () => {
  const count = (pairs: readonly (readonly [a: Client, b: Client])[]) =>
    pairs.reduce((sum, [a, b]) => sum + ordersOf(a, b).length, 0);
  expect([
    count(cases.map(([, , a, b]) => [a, b])),
    count(ENDS.map(([a, b]) => [CLIENTS[a], CLIENTS[b]])),
    count(REVERSAL_ENDS.map(([a, b]) => [REVERSAL_CLIENTS[a], REVERSAL_CLIENTS[b]])),
    count(REFERENCE_ENDS.map(([a, b]) => [REFERENCE_CLIENTS[a], REFERENCE_CLIENTS[b]])),
    count(PAYOUT_ENDS.map(([a, b]) => [PAYOUT_CLIENTS[a], PAYOUT_CLIENTS[b]])),
  ]).toEqual([386, 177, 132, 78, 177]);
});

describe("a repeat that arrives while the first one is being stored counts towards the day once", () => {
  const reverse = (contract: string) =>
    reverseBatch(context(), LIMITS, { contractAddress: contract, batchId: "b", reversalId: "r" });

  test.each([
    ["a batch", store, false],
    ["a reversal", reverse, true],
  ])("%s", async (_, send, isReversal) => {
    const contract = await newContract();
    if (isReversal) {
      await submitBatch(context(), LIMITS, { ...batch(contract), secondsToFinalize: 0 });
      await finalize();
    }
    await setRule(db, contract, { dayThreshold: "100" });
    const letGo = await lockAccount(db, isReversal ? wallet(1) : contract);
    const both = [send(contract), send(contract)];
    await untilBlocked(db, 2);
    await letGo();
    const replayed = (await Promise.all(both)).map((one) => one.replayed);
    expect(replayed.sort()).toEqual([false, true]);
    const [rule] = await db.sql`
      select day_points::float8 as points from approval_rules
      where contract_address = ${addressToBytes(contract)}`;
    expect(rule).toEqual({ points: 6 });
  });
});
