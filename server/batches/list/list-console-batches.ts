import { inArray } from "drizzle-orm";
import { contracts } from "@/db/schema/contracts";
import type { ServiceContext } from "../../kernel/context";
import { addressFromBytes } from "../../kernel/values/addresses";
import { type BatchRow, toBatchOut, toTimestamp } from "../../kernel/values/batch-rows";
import type { ConsoleBatch, ConsoleBatchPage, ConsoleListInput } from "./console-schema";
import { listBatches } from "./list-batches";

/** One page of the console's batch list, for one or all contracts, with labels and the database's clock. */
export async function listConsoleBatches(
  ctx: ServiceContext,
  input: ConsoleListInput,
): Promise<ConsoleBatchPage> {
  const [page, now] = await Promise.all([listBatches(ctx, input), databaseNow(ctx)]);
  return { batches: await withLabels(ctx, page.rows), cursor: page.cursor, now };
}

/** The database's clock, which decides what is due, in RFC 3339. */
export async function databaseNow(ctx: ServiceContext): Promise<string> {
  const [row] = await ctx.db.sql<{ now: string | Date }[]>`select now()`;
  return toTimestamp(row!.now);
}

/** Converts rows for the console, with contract labels. */
export async function withLabels(ctx: ServiceContext, rows: BatchRow[]): Promise<ConsoleBatch[]> {
  const addresses = [
    ...new Map(rows.map((row) => [row.contractAddress.toString("hex"), row.contractAddress])).values(),
  ];
  const known = addresses.length
    ? await ctx.db.orm
        .select({ address: contracts.address, label: contracts.label })
        .from(contracts)
        .where(inArray(contracts.address, addresses))
    : [];
  const labels = new Map(known.map((contract) => [addressFromBytes(contract.address), contract.label]));
  return rows.map((row) =>
    toConsoleBatch({ ...row, contractLabel: labels.get(addressFromBytes(row.contractAddress)) ?? "" }),
  );
}

/** Converts a row for the console. */
export function toConsoleBatch(row: BatchRow & { contractLabel: string }): ConsoleBatch {
  return {
    ...toBatchOut(row),
    contractLabel: row.contractLabel,
    submittedBy: row.submittedBy,
    heldAt: row.status === "PENDING" && row.heldAt ? toTimestamp(row.heldAt) : null,
  };
}
