import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { DomainError } from "../problems";
import { DISTRIBUTED_TABLES } from "./tables";

export interface Distribution {
  /** Distributed by this call. */
  distributed: string[];
  /** Distributed before. */
  already: string[];
}

const DISTRIBUTE_LOCK = 7_262_543;

/**
 * Cuts the tables into shards with Citus, all or none; those that are cut already stay as they are. Rows move while
 * writers wait, so it is for a stopped service.
 * @throws DomainError `validation_failed` without the extension, or when a table is distributed by another column
 */
export async function distributeTables(db: Database): Promise<Distribution> {
  return await db.sql.begin(async (tx) => {
    await requireCitus(tx);
    await tx`select pg_advisory_xact_lock(${DISTRIBUTE_LOCK}::bigint)`;
    // Citus copies row triggers to the shards only when told that they are harmless: ours look at their own row alone.
    await tx`select set_config('citus.enable_unsafe_triggers', 'on', true)`;
    const known = await distributedBefore(tx);
    const result: Distribution = { distributed: [], already: [] };
    let group = "none";
    for (const [table, column] of Object.entries(DISTRIBUTED_TABLES)) {
      const before = known.get(table);
      if (before === undefined) {
        await tx`select create_distributed_table(${table}::text::regclass, ${column}::text, colocate_with => ${group}::text)`;
        result.distributed.push(table);
      } else {
        if (before !== column) throw otherwiseDistributed(table, column, before);
        result.already.push(table);
      }
      group = "batches";
    }
    return result;
  });
}

async function requireCitus(tx: TransactionSql): Promise<void> {
  const installed = await tx`select from pg_extension where extname = 'citus'`;
  if (installed.length > 0) return;
  throw new DomainError(
    "validation_failed",
    "This database has no Citus: its extension is missing. Nothing was changed. Install Citus on every node, run `create extension citus`, add the workers, then distribute again. One Postgres without it serves as it is.",
  );
}

/** Table → column, of all that Citus has cut. */
async function distributedBefore(tx: TransactionSql): Promise<Map<string, string>> {
  const rows = await tx<{ table: string; column: string }[]>`
    select table_name::text as table, distribution_column as column from citus_tables
    where citus_table_type = 'distributed'`;
  return new Map(rows.map(({ table, column }) => [table, column]));
}

function otherwiseDistributed(table: string, column: string, before: string): DomainError {
  return new DomainError(
    "validation_failed",
    `${table} is distributed by ${before}; this version needs ${column}. Nothing was changed. Undo it with undistribute_table first.`,
  );
}
