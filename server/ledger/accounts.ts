import type postgres from "postgres";
import { z } from "zod";
import type { Database } from "@/db/client";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { withPoints } from "@/server/kernel/batch-rows";
import { postgresError } from "@/server/kernel/database-errors";
import { byPointType, type PointType } from "@/terms/batch-terms";
import { PointsOut } from "@/terms/fields";
import { DomainError } from "@/terms/problems";

export const contractNotFound = (contractAddress: string): DomainError =>
  new DomainError("contract_not_found", `The contract ${contractAddress} is not registered.`);

/** @throws DomainError `contract_not_found` */
export async function requireContract({ sql }: Database, contractAddress: string): Promise<void> {
  const known = await sql`select 1 from contracts where address = ${addressToBytes(contractAddress)}`;
  if (known.length === 0) throw contractNotFound(contractAddress);
}

/** The balances of an address in one point type, as decimal strings (docs/api.md, "Balances"). */
export const Balances = z
  .strictObject({
    available: PointsOut.meta({ description: "Points that the contract can send now." }),
    pendingSent: PointsOut.meta({ description: "Points reserved by pending batches." }),
    earnedCumulative: PointsOut.meta({ description: "Total points issued or granted to the contract." }),
    receivedCumulative: PointsOut.meta({ description: "Total points received from finalized batches." }),
    finalizedSentCumulative: PointsOut.meta({
      description: "Total points sent by the contract's finalized batches.",
    }),
  })
  .meta({
    id: "Balances",
    description: "available = earned + received − finalizedSent − pendingSent. Never negative.",
  });
export type AccountBalances = z.output<typeof Balances>;

const NAMES = Balances.keyof().options;
const NOTHING = Object.fromEntries(NAMES.map((name) => [name, "0"])) as AccountBalances;

export async function readBalances(
  db: Database,
  address: Buffer,
): Promise<Record<PointType, AccountBalances>> {
  return (await balancesOf(db, [address]))(address);
}

/** Reads the balances of several addresses in one query. Zero if an address never had any. */
export async function balancesOf(
  db: Database,
  addresses: readonly Buffer[],
): Promise<(address: Buffer) => Record<PointType, AccountBalances>> {
  const rows = await db.sql<(AccountBalances & { address: Buffer; point_type: PointType })[]>`
    select address, point_type, earned + received - sent - pending as available, pending as "pendingSent",
      earned as "earnedCumulative", received as "receivedCumulative", sent as "finalizedSentCumulative"
    from accounts where address in ${db.sql(addresses.length ? [...addresses] : [Buffer.alloc(0)])}`;
  const known = new Map(
    rows.map(({ address, point_type, ...row }) => [
      accountKey(address, point_type),
      withPoints(row, ...NAMES),
    ]),
  );
  return (address) => byPointType((type) => known.get(accountKey(address, type)) ?? NOTHING);
}

const accountKey = (address: Buffer, type: PointType) => `${address.toString("hex")} ${type}`;

export async function readAccount(
  db: Database,
  address: Buffer,
  pointType: PointType,
): Promise<AccountBalances> {
  return (await readBalances(db, address))[pointType];
}

/** What one admin proposed and the caller approves. Applied in the transaction of the approval. */
export interface ApprovedChange {
  tx: postgres.TransactionSql;
  id: string;
  /** Its `effect`, which a default wait has none of, and `decided_at`: the database compares them. */
  effect: string | null;
  decidedAt: string;
  proposedBy: string;
}

export const secondAdminNeeded = (cause?: unknown): DomainError =>
  new DomainError(
    "not_allowed",
    "This contract has an approval rule, so a second admin must approve this change. " +
      "Propose it on the contract's page in the console.",
    { cause },
  );

/** For a statement that the trigger `contracts_second_admin` may refuse. */
export function refuseWithoutSecondAdmin(cause: unknown): never {
  throw postgresError(cause)?.constraint === "contracts_second_admin" ? secondAdminNeeded(cause) : cause;
}

/** Assignments with the approved change, which that trigger requires. */
export const appliedBy = (sql: postgres.Sql | postgres.TransactionSql, approved?: ApprovedChange) =>
  approved
    ? sql`, applied_change_id = ${approved.id}::uuid, applied_decision = 'APPROVED',
        applied_effect = ${approved.effect}, applied_at = ${approved.decidedAt}::timestamptz`
    : sql``;
