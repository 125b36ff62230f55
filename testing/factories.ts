import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Database } from "@/db/client";
import { getAllocation } from "@/server/allocations/list-allocations";
import { makeAllocations } from "@/server/allocations/make-allocation";
import { requestAllocation } from "@/server/allocations/request-allocation";
import { type AllocationOut, RequestAllocationInput } from "@/server/allocations/schema";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import type { SubmitBatchInput } from "@/server/batches/submit/submit-schema";
import { type Issuance, registerContract } from "@/server/contracts/change-contract";
import { finalizeDueBatches } from "@/server/finalizer/finalize-due-batches";
import { addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext, StaffRole } from "@/server/kernel/context";
import { readAccount } from "@/server/ledger/accounts";
import { grantPoints } from "@/server/ledger/issuances";
import { readSnapshots } from "@/server/snapshots/list-snapshots";
import { requestSnapshot } from "@/server/snapshots/request-snapshot";
import type { SnapshotOut, SnapshotRequest } from "@/server/snapshots/schema";
import { takeSnapshots } from "@/server/snapshots/take-snapshot";
import type { BatchLimits } from "@/terms/batch-limits";
import type { PointType } from "@/terms/batch-terms";
import { quickHash } from "./sign-in";

/** The documented limits, except that a batch may be due immediately. */
export const LIMITS: BatchLimits = {
  minimumPoints: { PHASE2_POINTS: "0.01", PHASE2_GOLD: "0.000001" },
  transfersMax: 2000,
  minimumFinalizeSeconds: 0,
  defaultFinalizeSeconds: 86_400,
  zeroAddressAllowed: false,
};

export function testContext(db: Database, actor = "token:test"): ServiceContext {
  return { db, actor, requestId: randomUUID() };
}

/** Numbers from 0 to below a bound, always the same for a seed. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Runs something `count` times concurrently. */
export const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

/** A wallet's address; the same number gives the same address. */
export const wallet = (number: number): string => `0x${number.toString(16).padStart(40, "0")}`;

let contracts = 0;

/** No other contract of this test file has it. It has only digits, so its checksummed form is the same. */
export const nextAddress = () => `0x80${String(++contracts).padStart(38, "0")}`;

export interface NewContract {
  issuance?: Issuance;
  granted?: string;
  address?: string;
}

/** Registers a contract for one test. @returns its address */
export async function newContract(db: Database, options: NewContract = {}): Promise<string> {
  const address = options.address ?? nextAddress();
  const ctx = testContext(db, "ops");
  const issuance = options.issuance ?? "ON_DEMAND";
  await registerContract(ctx, { address, label: `Contract ${contracts}`, operatorAddress: null, issuance });
  if (options.granted) {
    await grantPoints(ctx, { contractAddress: address, pointType: "PHASE2_POINTS", points: options.granted });
  }
  return address;
}

export interface BatchOptions {
  batchId?: string;
  pointType?: PointType;
  /** 0 (due immediately) when absent; null uses the service's default. */
  secondsToFinalize?: number | null;
  metadata?: SubmitBatchInput["metadata"];
}

/** A batch of rows `[wallet number or address, points, reference]`. */
export function batchOf(
  contractAddress: string,
  rows: readonly (readonly [to: number | string, points: string, reference?: string])[],
  options: BatchOptions = {},
): SubmitBatchInput {
  return {
    contractAddress,
    pointType: options.pointType ?? "PHASE2_POINTS",
    secondsToFinalize: options.secondsToFinalize === undefined ? 0 : options.secondsToFinalize,
    transfers: rows.map(([to, points, reference]) => ({
      toAddress: typeof to === "number" ? wallet(to) : to,
      points,
      ...(reference && { reference }),
    })),
    ...(options.batchId === undefined ? {} : { batchId: options.batchId }),
    ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
  };
}

/** Submits with the test limits. @returns the id */
export async function submit(db: Database, batch: SubmitBatchInput): Promise<string> {
  return (await submitBatch(testContext(db), LIMITS, batch)).batchId;
}

export const finalize = (db: Database) => finalizeDueBatches(db, { budgetSeconds: 20, startedBy: "test" });

/** Requests a snapshot and takes it, however long transactions that are open keep it waiting. */
export async function snapshotOf(db: Database, request: SnapshotRequest): Promise<SnapshotOut> {
  const ctx = testContext(db);
  const { id } = await requestSnapshot(ctx, request);
  for (;;) {
    await takeSnapshots(db);
    const [snapshot] = await readSnapshots(ctx, db.sql`id = ${id}::uuid`);
    if (snapshot!.status !== "RUNNING") return snapshot!;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Requests an allocation and makes it. */
export async function allocationOf(
  db: Database,
  request: z.input<typeof RequestAllocationInput>,
  ctx = testContext(db, "ops"),
): Promise<AllocationOut> {
  const { id } = await requestAllocation(ctx, RequestAllocationInput.parse(request));
  await makeAllocations(db);
  return await getAllocation(ctx, { allocationId: id });
}

export const balance = (db: Database, address: string, pointType: PointType = "PHASE2_POINTS") =>
  readAccount(db, addressToBytes(address), pointType);

/** Runs statements with triggers off, so that a test can break what the service cannot. */
export async function withoutTriggers(db: Database, statements: string): Promise<void> {
  await db.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx.unsafe(statements);
  });
}

/** A column's time plus `seconds`. Citus refuses `+ interval` in an update: it depends on the zone. */
export const shifted = (column: string, seconds: number | string) =>
  `to_timestamp(extract(epoch from ${column} - timestamptz 'epoch') + ${seconds})`;

/** Puts an approval rule for PHASE2_POINTS in force, as if two admins had agreed. */
export async function setRule(
  { sql }: Pick<Database, "sql">,
  contractAddress: string,
  {
    threshold = null,
    onUnusual = false,
    dayThreshold = null,
  }: { threshold?: string | null; onUnusual?: boolean; dayThreshold?: string | null },
): Promise<void> {
  const contract = addressToBytes(contractAddress);
  await sql`
    insert into approval_rules (contract_address, point_type, threshold, on_unusual, day_threshold)
    values (${contract}, 'PHASE2_POINTS', ${threshold}::text::numeric, ${onUnusual},
      ${dayThreshold}::text::numeric)`;
  await sql`update contracts set approval_required = true where address = ${contract}`;
}

/** A verb's context for a staff member. */
export const staffContext = (db: Database, email = "admin@example.com"): ServiceContext => ({
  db,
  actor: `staff:${email}`,
  requestId: randomUUID(),
});

/** A visitor who is not signed in. */
export const publicContext = (db: Database, clientAddress = "192.0.2.1") => ({
  db,
  clientAddress,
  requestId: randomUUID(),
});

interface NewPerson {
  email: string;
  role: StaffRole;
  password?: string;
  /** Whether they have signed in before; true when absent. */
  cameIn?: boolean;
}

/** Adds a staff member without an audit row. */
export async function newPerson(db: Database, person: NewPerson): Promise<{ id: string; email: string }> {
  const hash = person.password ? quickHash(person.password) : null;
  const cameInAt = person.cameIn === false ? null : new Date().toISOString();
  const [made] = await db.sql<{ id: string; email: string }[]>`
    insert into staff (email, role, password_hash, last_sign_in_at)
    values (${person.email}, ${person.role}, ${hash}, ${cameInAt}) returning id, email`;
  return made!;
}

interface StoredPerson {
  id: string;
  role: StaffRole;
  password_hash: string | null;
  session_epoch: number;
  disabled_at: Date | null;
  last_sign_in_at: Date | null;
}

export async function storedPerson(db: Database, email: string): Promise<StoredPerson> {
  const [person] = await db.sql<StoredPerson[]>`select * from staff where email = ${email}`;
  return person!;
}
