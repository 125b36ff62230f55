import type { ServiceContext } from "../../kernel/context";
import { DomainError } from "../../kernel/values/problems";
import { findBatch, type StoredBatch } from "./get-batch";

const CORRECTED_BY_MAX = 20;

type Reader = Pick<ServiceContext, "db">;
type Key = Pick<StoredBatch, "contractAddress" | "seq">;

/** ID of the cancelled batch that a batch replaces. */
export async function findCorrected(
  { db: { sql } }: Reader,
  { contractAddress: contract, seq }: Key,
): Promise<string | null> {
  const [cancelled] = await sql<{ id: string }[]>`
    select b.id from batch_corrections k join batches b on b.seq = k.corrects_seq
    where k.contract_address = ${contract} and b.contract_address = ${contract}
      and k.batch_seq = ${seq.toString()}::bigint`;
  return cancelled?.id ?? null;
}

/** IDs of the batches that replace a cancelled one, the latest first. */
export async function findCorrections(
  { db: { sql } }: Reader,
  { contractAddress: contract, seq }: Key,
): Promise<string[]> {
  const corrections = await sql<{ id: string }[]>`
    select b.id from batch_corrections k join batches b on b.seq = k.batch_seq
    where k.contract_address = ${contract} and b.contract_address = ${contract}
      and k.corrects_seq = ${seq.toString()}::bigint
    order by k.batch_seq desc limit ${CORRECTED_BY_MAX}`;
  return corrections.map(({ id }) => id);
}

/**
 * Refuses a correction of a batch that is not cancelled. A cancelled batch stays cancelled, so nothing changes between this
 * check and the submit.
 * @throws DomainError `batch_not_found` when the contract has no such batch, `validation_failed` when it is not cancelled
 */
export async function requireCancelled(
  ctx: ServiceContext,
  { contractAddress, corrects }: { contractAddress: string; corrects?: string | undefined },
): Promise<void> {
  if (corrects === undefined) return;
  const { status, reversesSeq } = await findBatch(ctx, contractAddress, corrects);
  if (reversesSeq !== null)
    throw new DomainError(
      "validation_failed",
      `The batch ${corrects} is a reversal. Sending its transfers would pay them. Take the batch back again instead.`,
    );
  if (status !== "CANCELLED")
    throw new DomainError(
      "validation_failed",
      `The batch ${corrects} is ${status}. Only a cancelled batch can be corrected.`,
    );
}
