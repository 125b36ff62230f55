import { createHash, randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import type { Database } from "@/db/client";
import { approveBatch } from "@/server/batches/change/approve-batch";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { listBatches } from "@/server/batches/list/list-batches";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import type { SubmitBatchInput } from "@/server/batches/submit/submit-schema";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { indexRecipients } from "@/server/ledger/index-recipients";
import { grantPoints } from "@/server/ledger/issuances";
import type { SnapshotOut, SnapshotRequest } from "@/server/snapshots/schema";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { formatPoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import {
  balance,
  batchOf,
  finalize,
  LIMITS,
  snapshotOf,
  testContext,
  wallet,
  withoutTriggers,
} from "./factories";
import type { LedgerModel, ModelBatch, ModelStatus } from "./model";

/** The service under test, with this run's own contracts and wallets. */
export interface Service {
  db: Database;
  /** The same with a pool of one connection, so that concurrent submits are judged in order of arrival. */
  oneConnection: Database;
  contracts: readonly string[];
  /** The run's first wallet. */
  wallets: number;
}

export interface Step {
  label: string;
  run(model: LedgerModel, service: Service): Promise<void>;
}

export const contractIndex = fc.nat(2);
const campaign = fc.constantFrom(undefined, undefined, "summer", "winter");
const metadataOf = ({ campaign }: Pick<ModelBatch, "campaign">) => (campaign ? { campaign } : undefined);
export const pointType = fc.constantFrom<PointType>(...POINT_TYPES);
const tick = () => new Promise((resolve) => setTimeout(resolve, 2));

const statuses = fc.constantFrom<ModelStatus | undefined>(undefined, "PENDING", "CANCELLED", "FINALIZED");
export const list = fc
  .record({
    contractIndex,
    status: statuses,
    pointType: fc.option(pointType, { nil: undefined }),
    to: fc.option(fc.nat(4), { nil: undefined }),
    campaign,
    sort: fc.constantFrom<"ASC" | "DESC">("ASC", "DESC"),
    limit: fc.integer({ min: 1, max: 5 }),
  })
  .map(
    (given): Step => ({
      label: `list(${JSON.stringify(given)})`,
      async run(model, { db, contracts, wallets }) {
        await tick();
        const contractAddress = contracts[given.contractIndex]!;
        const recipient = given.to === undefined ? undefined : wallet(wallets + given.to);
        const filters = {
          contractAddress,
          pointType: given.pointType,
          recipient,
          metadata: metadataOf(given),
          ...(given.status && { statuses: [given.status] }),
        };
        const shown: string[] = [];
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = await listBatches(testContext(db), {
            ...filters,
            sort: given.sort,
            limit: given.limit,
            cursor,
          });
          shown.push(...page.rows.map((row) => `${row.id} ${row.status}`));
          cursor = page.cursor;
        }
        const expected = model.batches
          .filter((batch) => batch.contract === contractAddress)
          .filter((batch) => !given.status || batch.status === given.status)
          .filter((batch) => !given.pointType || batch.pointType === given.pointType)
          .filter((batch) => !given.campaign || batch.campaign === given.campaign)
          .filter((batch) => !recipient || batch.rows.some(([to]) => to === recipient))
          .map((batch) => `${batch.id} ${batch.status}`);
        expect(shown).toEqual(given.sort === "ASC" ? expected : expected.reverse());
      },
    }),
  );

export const index = fc.constant<Step>({
  label: "index recipients",
  async run(_, { db }) {
    await indexRecipients(db);
  },
});

/** Compares every balance of the model with the service's. */
export async function expectSameBalances(model: LedgerModel, { db }: Service): Promise<void> {
  for (const [key, account] of model.accounts) {
    const [address, type] = key.split(" ") as [string, PointType];
    expect(await balance(db, address, type), key).toEqual({
      available: formatPoints(model.available(address, type)),
      pendingSent: formatPoints(account.pending),
      earnedCumulative: formatPoints(account.earned),
      receivedCumulative: formatPoints(account.received),
      finalizedSentCumulative: formatPoints(account.sent),
    });
  }
}

export const look = fc.constant<Step>({ label: "look at balances", run: expectSameBalances });

/** Steps taken so far. */
export const taken = { steps: 0 };

const toCommand = ({ label, run }: Step): fc.AsyncCommand<LedgerModel, Service> => ({
  check: () => true,
  run(model, service) {
    taken.steps++;
    return run(model, service);
  },
  toString: () => label,
});

/** How often submits and reversals were answered how, so that the test can say that it has tried them. */
export const submits = new Map<string, number>();
export const reversals = new Map<string, number>();

const storedOr = ({ replayed }: { replayed: boolean }) => (replayed ? "replayed" : "stored");

const codeOr = (run: Promise<string>) =>
  run.catch((error: unknown) => {
    if (error instanceof DomainError) return error.code;
    throw error;
  });

const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
const points = fc.constantFrom("0.01", "1", "1.50", "2.25", "7", "100.000000000001");
const reference = fc.constantFrom(undefined, undefined, "x", "y", "z");
/** Wallets 0–4, and 5–7: the contracts themselves. */
const rows = fc.uniqueArray(fc.record({ to: fc.nat(7), points, reference }), {
  selector: ({ to }) => to,
  minLength: 1,
  maxLength: 5,
});

const content = fc.record({ contractIndex, id, pointType, rows, campaign, wait: fc.constantFrom(0, 3600) });
type Content = typeof content extends fc.Arbitrary<infer Given> ? Given : never;

/** A batch for the model, with what is submitted; null if it would only pay its own contract. */
function batchFor(given: Content, { contracts, wallets }: Service) {
  const contract = contracts[given.contractIndex]!;
  const named = given.rows.map((row) => row.reference);
  const sent = given.rows
    .map(({ to, points, reference }, at) => {
      const once = named.indexOf(reference) === at ? reference : undefined;
      return [to < 5 ? wallet(wallets + to) : contracts[to - 5]!, points, once] as const;
    })
    .filter(([to]) => to !== contract);
  if (sent.length === 0) return null;
  const batch: ModelBatch = {
    ...given,
    contract,
    rows: sent,
    status: "PENDING",
    isDue: given.wait === 0,
  };
  const options = {
    batchId: given.id,
    pointType: given.pointType,
    secondsToFinalize: given.wait,
    metadata: metadataOf(given),
  };
  return { batch, input: batchOf(contract, sent, options) };
}

const submitted = (db: Database, input: SubmitBatchInput) =>
  codeOr(submitBatch(testContext(db), LIMITS, input).then(storedOr));

function expectSubmitted(model: LedgerModel, batch: ModelBatch, answered: string): void {
  expect(answered, batch.id).toBe(model.submit(batch));
  submits.set(answered, (submits.get(answered) ?? 0) + 1);
}

/** Each contract's batches were created in the model's order. */
async function expectSameOrder(model: LedgerModel, { db, contracts }: Service): Promise<void> {
  for (const contract of contracts) {
    const stored = await db.sql<{ id: string }[]>`
      select id from batches where contract_address = ${addressToBytes(contract)} order by created_at, seq`;
    const expected = model.batches.filter((batch) => batch.contract === contract);
    expect(stored.map((batch) => batch.id)).toEqual(expected.map((batch) => batch.id));
  }
}

const submit = content.map(
  (given): Step => ({
    label: `submit(${JSON.stringify(given)})`,
    async run(model, service) {
      const sent = batchFor(given, service);
      if (sent) expectSubmitted(model, sent.batch, await submitted(service.db, sent.input));
    },
  }),
);

/**
 * Submits at the same time, so that all but the first share a statement. None has a reference, since those go
 * alone. A group has one point type, since a PREFUNDED contract's batches that are short are judged after it.
 */
const submitTogether = fc
  .record({ pointType, batches: fc.array(content, { minLength: 3, maxLength: 6 }) })
  .map(
    ({ pointType, batches }): Step => ({
      label: `submit together(${pointType}, ${JSON.stringify(batches)})`,
      async run(model, service) {
        const sent = batches.flatMap((given) => {
          const rows = given.rows.map((row) => ({ ...row, reference: undefined }));
          return batchFor({ ...given, pointType, rows }, service) ?? [];
        });
        const answers = await Promise.all(sent.map(({ input }) => submitted(service.oneConnection, input)));
        for (const [at, { batch }] of sent.entries()) expectSubmitted(model, batch, answers[at]!);
        await expectSameOrder(model, service);
      },
    }),
  );

const repeat = fc.nat(20).map(
  (at): Step => ({
    label: `repeat(${at})`,
    async run(model, { db }) {
      const batch = model.batches[at % Math.max(model.batches.length, 1)];
      if (!batch) return;
      const expected = batch.status === "CANCELLED" ? "batch_cancelled" : "replayed";
      if (batch.reverses !== undefined) {
        const input = {
          contractAddress: batch.contract,
          batchId: batch.reverses,
          reversalId: batch.id,
          toAddresses: batch.rows.map(([to]) => to),
          secondsToFinalize: batch.wait,
        };
        expect(await codeOr(reverseBatch(testContext(db), LIMITS, input).then(storedOr))).toBe(expected);
        return;
      }
      const options = {
        batchId: batch.id,
        pointType: batch.pointType,
        secondsToFinalize: batch.wait,
        metadata: metadataOf(batch),
      };
      const again = batchOf(batch.contract, batch.rows, options);
      expect(await submitted(db, again)).toBe(expected);
    },
  }),
);

/** `rows` is a set of places in bits, so that reversals of one batch often overlap; 31 takes back all. */
const reverse = fc
  .record({
    contractIndex,
    at: fc.nat(20),
    id,
    rows: fc.oneof(fc.constant(31), fc.integer({ min: 1, max: 31 })),
    wait: fc.constantFrom(0, 3600),
  })
  .map(
    (given): Step => ({
      label: `reverse(${JSON.stringify(given)})`,
      async run(model, { db, contracts }) {
        // Mostly a finalized payment, since only these can be taken back.
        const finalized = model.batches.filter(
          ({ status, reverses }) => status === "FINALIZED" && reverses === undefined,
        );
        const pool = given.at % 4 === 0 ? model.batches : finalized;
        if (given.at > 0 && pool.length === 0) return;
        const original = pool[given.at % Math.max(pool.length, 1)];
        const contractAddress = original?.contract ?? contracts[given.contractIndex]!;
        const chooses = (place: number) => ((given.rows >> place) & 1) === 1;
        const chosen = original?.rows.filter((_, place) => chooses(place)).map(([to]) => to) ?? [];
        if (original && chosen.length === 0) return;
        const input = {
          contractAddress,
          batchId: original?.id ?? "never",
          reversalId: given.id,
          ...(given.rows === 31 ? {} : { toAddresses: chosen }),
          secondsToFinalize: given.wait,
        };
        const answered = await codeOr(reverseBatch(testContext(db), LIMITS, input).then(storedOr));
        expect(answered).toBe(model.reverse(contractAddress, input.batchId, { ...given, chooses }));
        reversals.set(answered, (reversals.get(answered) ?? 0) + 1);
      },
    }),
  );

const cancel = fc.record({ contractIndex, id }).map(
  (given): Step => ({
    label: `cancel(${JSON.stringify(given)})`,
    async run(model, { db, contracts }) {
      const contractAddress = contracts[given.contractIndex]!;
      const answered = await codeOr(
        cancelBatch(testContext(db), { contractAddress, batchId: given.id }).then(() => "cancelled"),
      );
      expect(answered).toBe(model.cancel(contractAddress, given.id));
    },
  }),
);

const approve = fc.record({ contractIndex: fc.constant(1), id }).map(
  (given): Step => ({
    label: `approve(${JSON.stringify(given)})`,
    async run(model, { db, contracts }) {
      const contractAddress = contracts[given.contractIndex]!;
      const decision = { contractAddress, batchId: given.id, reason: "checked" };
      const answered = await codeOr(
        approveBatch(testContext(db, "staff:ann@example.com"), decision).then(() => "approved"),
      );
      expect(answered).toBe(model.approve(contractAddress, given.id));
    },
  }),
);

const finalizing = fc.boolean().map(
  (crashesFirst): Step => ({
    label: crashesFirst ? "crash and finalize" : "finalize",
    async run(model, { db }) {
      if (crashesFirst) {
        await claimDueBatches(db, randomUUID());
        await db.sql`
          update batches set lease_until = now() - interval '1 second' where status = 'FINALIZING'`;
      }
      expect(await finalize(db)).toMatchObject({ failure: null, dueLeft: 0 });
      model.finalize();
    },
  }),
);

/** Makes pending batches due, with triggers off, because a trigger forbids changing due times. */
const moveClock = fc.constant<Step>({
  label: "move the clock",
  async run(model, { db, contracts }) {
    const mine = contracts.map((contract) => `'\\x${contract.slice(2)}'::bytea`).join(", ");
    await withoutTriggers(
      db,
      `update batches set wait_seconds = 0, finalize_at = created_at
       where status = 'PENDING' and contract_address in (${mine})`,
    );
    model.moveClock();
  },
});

const grant = fc.record({ pointType, points }).map(
  (given): Step => ({
    label: `grant(${JSON.stringify(given)})`,
    async run(model, { db, contracts }) {
      await grantPoints(testContext(db, "ops"), { contractAddress: contracts[2]!, ...given });
      model.grant(contracts[2]!, given.pointType, given.points);
    },
  }),
);

type Kept = { request: SnapshotRequest; snapshot: SnapshotOut };
/** Snapshots of this history, as they were taken. */
const kept: Kept[] = [];
/** How many instants were compared. */
export const instants = { compared: 0 };

/**
 * A contract's snapshot must be what the model's batches paid. One over all contracts also has those of earlier
 * histories.
 */
const snapshot = fc.record({ contractIndex, pointType, ofAll: fc.boolean() }).map(
  (given): Step => ({
    label: `snapshot(${JSON.stringify(given)})`,
    async run(model, { db, contracts }) {
      const contractAddress = contracts[given.contractIndex]!;
      if (!model.batches.some(({ contract }) => contract === contractAddress)) return;
      const { pointType } = given;
      const request = given.ofAll ? { pointType } : { pointType, contractAddress };
      const taken = await snapshotOf(db, request);
      kept.push({ request, snapshot: taken });
      expect(taken.status).toBe("TAKEN");
      if (given.ofAll) return;
      const paid = [...model.paidBy(contractAddress, pointType)].filter(([, points]) => points > 0n).sort();
      const sum = (ofContracts: boolean) =>
        paid.reduce((sum, [to, points]) => sum + (contracts.includes(to) === ofContracts ? points : 0n), 0n);
      const text = paid
        .filter(([to]) => !contracts.includes(to))
        .map(([to, points]) => `${to} ${formatPoints(points)}\n`);
      expect(taken).toMatchObject({
        ...{ holders: text.length, points: formatPoints(sum(false)), leftOut: formatPoints(sum(true)) },
        digest: createHash("sha256").update(text.join("")).digest("hex"),
      });
    },
  }),
);

/** At the end of a history, its snapshots are taken once more by undoing what came after them. */
export async function expectSamePasts({ db }: Service): Promise<void> {
  for (const {
    request,
    snapshot: { id: _, ...before },
  } of kept.splice(0)) {
    const { digest, holders, points, leftOut, ledgerTotal, asOf } = before;
    const again = await snapshotOf(db, { ...request, asOf });
    expect(again).toMatchObject({ digest, holders, points, leftOut, ledgerTotal, status: "TAKEN" });
    instants.compared++;
  }
  await db.sql`delete from snapshots`;
  await db.sql`delete from snapshot_holders`;
}

export const commands = fc.commands(
  [
    submit,
    submit,
    submit,
    submitTogether,
    submitTogether,
    repeat,
    reverse,
    reverse,
    cancel,
    approve,
    finalizing,
    finalizing,
    moveClock,
    grant,
    list,
    index,
    look,
    snapshot,
    snapshot,
  ].map((step) => step.map(toCommand)),
  { maxCommands: Number(process.env.MODEL_STEPS_MAX ?? 40), size: "max" },
);
