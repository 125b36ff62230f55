import type { PendingQuery, Row, TransactionSql } from "postgres";
import { FINDINGS_MAX, type LedgerFinding, type LedgerReport } from "./check-ledger";
import { type Checkpoint, moveCheckpoint, readCheckpoint } from "./checkpoint";
import { NEW_RULES } from "./new-rules";
import { batchesOf, nextSlice, type Slice } from "./slice";
import { SLICE_RULES } from "./slice-rules";

export interface IncrementOptions {
  /** Checks that a round takes from here on: after so many, everything old was looked at again. */
  slices: number;
  unsettledSeconds: number;
}

/**
 * Checks every account against what was checked before and what was settled since, what is new in full, and the next
 * slice of what is old from its transfers. When all is in order the checkpoint moves on; else the next check looks at
 * the same again. Needs a repeatable-read transaction.
 * @returns null when the whole ledger must be checked first
 */
export async function checkIncrement(
  tx: TransactionSql,
  options: IncrementOptions,
): Promise<LedgerReport | null> {
  const checkpoint = await readCheckpoint(tx, options.unsettledSeconds);
  if (!checkpoint) return null;
  const slice = await nextSlice(tx, checkpoint);
  const findings: LedgerFinding[] = [];
  const look = async (rule: string, query: PendingQuery<Row[]>) => {
    const left = FINDINGS_MAX - findings.length;
    const rows = await tx<{ detail: string }[]>`select detail from (${query}) as found limit ${left}`;
    findings.push(...rows.map(({ detail }) => ({ rule, detail })));
  };
  for (const [rule, query] of NEW_RULES) await look(rule, query(tx, checkpoint, slice));
  for (const [rule, query] of SLICE_RULES) await look(rule, query(tx, slice));
  const size = await readSize(tx, checkpoint, slice);
  const ok = findings.length === 0;
  if (ok) await moveCheckpoint(tx, checkpoint, slice, options.slices);
  return { ok, reach: "incremental", ...size, findings };
}

/** What was read: all accounts, and the batches and transfers that are new or in the slice. */
async function readSize(tx: TransactionSql, { horizon }: Checkpoint, slice: Slice) {
  const [size] = await tx<Pick<LedgerReport, "checkedAt" | "accounts" | "batches" | "transfers">[]>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "checkedAt",
      (select count(*)::float8 from accounts) as accounts, count(*)::float8 as batches,
      coalesce(sum(transfer_count), 0)::float8 as transfers
    from (
      select seq, contract_address, transfer_count from batches where created_at > ${horizon}::timestamptz
      union
      select seq, contract_address, transfer_count from batches
      where status = 'FINALIZED' and finalized_at > ${horizon}::timestamptz
      union
      select seq, contract_address, transfer_count from batches b where ${batchesOf(tx, slice)}
    ) as looked_at`;
  return size!;
}
