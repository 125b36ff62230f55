import { and } from "drizzle-orm";
import type { Sql } from "postgres";
import type { Database } from "@/db/client";
import { asFragment, conditionsByKey, createdWithin } from "@/server/batches/list/conditions";
import { addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { allPages } from "@/server/kernel/cursor";
import { unindexedTransfers } from "@/server/ledger/index-recipients";
import { byPointType, type PointType } from "@/terms/batch-terms";
import { formatPoints, parsePoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import { readReversalLinks, type TransferRow, toTransfer, withBatches, withinTime } from "./list-received";
import type { ReceivedFilters, ReceivedTransfer } from "./schema";

const PAGE_ROWS = 500;

/** A transfer with the running sums of finalized credits, minus what was taken back, after it. */
export type ExportedTransfer = ReceivedTransfer & { running: Record<PointType, string> };

/**
 * The transfers to an address over all contracts that match the filters, oldest first. Yields pages, so
 * memory does not grow with their number. Running sums are computed from all rows that are read, also from
 * those that do not match, so they are the address's balances even if a batch is finalized during the export.
 * @throws DomainError `unavailable` before the first page, while the recipient index is too far behind
 */
export async function exportReceived(
  ctx: ServiceContext,
  filters: ReceivedFilters,
): Promise<AsyncGenerator<ExportedTransfer[], void, undefined>> {
  const rows = await readStart(ctx.db, filters);
  const { is_whole, indexedAt, indexedSeq } = rows[0]!;
  if (!is_whole)
    throw new DomainError("unavailable", "The newest batches are not indexed yet. Retry in a minute.");
  const unindexed = rows.filter(({ batchId }) => batchId !== null);
  const indexed = { createdAt: indexedAt, seq: indexedSeq };
  return withRunning(ctx, filters, pagesOf(ctx, filters, indexed, unindexed));
}

type ExportRow = TransferRow & { matches: boolean };
type Position = Pick<TransferRow, "createdAt" | "seq">;

/** The index is complete and final up to the batch at `indexedAt`. */
type StartRow = ExportRow & { is_whole: boolean; indexedAt: string; indexedSeq: string };

/** All filters, as those of the batches' list. */
const matching = (sql: Sql, { address: _, ...filters }: ReceivedFilters) =>
  asFragment(sql, and(createdWithin(filters), conditionsByKey(filters)));

/** Position and unindexed transfers in one snapshot, so that later pages skip and repeat nothing. */
const readStart = ({ sql }: Database, filters: ReceivedFilters) => sql<StartRow[]>`
    with ${unindexedTransfers(sql, addressToBytes(filters.address))}, described as materialized (
      ${withBatches(sql, "unindexed", matching(sql, filters))}
    ), progress as materialized (
      select created_at, batch_seq from recipient_progress
    )
    select r.is_whole, p.created_at as "indexedAt", p.batch_seq as "indexedSeq", s.*
    from reach r cross join progress p left join described s on true
    order by s."createdAt", s.seq`;

async function* pagesOf(
  ctx: ServiceContext,
  filters: ReceivedFilters,
  indexed: Position,
  unindexed: ExportRow[],
): AsyncGenerator<ExportRow[], void, undefined> {
  const pages = allPages(async (after: Position | null) => {
    const rows = await readIndexed(ctx.db, filters, after, indexed);
    return { rows, cursor: rows.length === PAGE_ROWS ? rows.at(-1)! : null };
  });
  for await (const { rows } of pages) yield rows;
  yield unindexed;
}

function readIndexed({ sql }: Database, filters: ReceivedFilters, after: Position | null, upTo: Position) {
  const at = ({ createdAt, seq }: Position) => sql`(${createdAt}::timestamptz, ${seq}::bigint)`;
  return sql<ExportRow[]>`
    with page as materialized (
      select created_at, batch_seq, contract_address, points from recipient_transfers
      where to_address = ${addressToBytes(filters.address)} and (created_at, batch_seq) <= ${at(upTo)}
        and ${withinTime(sql, { createdBefore: filters.createdBefore })}
        and ${after ? sql`(created_at, batch_seq) > ${at(after)}` : sql`true`}
      order by created_at, batch_seq limit ${PAGE_ROWS}
    )
    ${withBatches(sql, "page", matching(sql, filters))} order by t.created_at, t.batch_seq`;
}

async function* withRunning(
  ctx: ServiceContext,
  { address }: ReceivedFilters,
  pages: AsyncGenerator<ExportRow[], void, undefined>,
): AsyncGenerator<ExportedTransfer[], void, undefined> {
  const sums = byPointType(() => 0n);
  for await (const page of pages) {
    const matching: ExportedTransfer[] = [];
    const links = await readReversalLinks(ctx, address, page);
    for (const row of page) {
      const transfer = toTransfer(row, links);
      const points = parsePoints(transfer.points);
      if (transfer.status === "FINALIZED")
        sums[transfer.pointType] += row.reversesSeq === null ? points : -points;
      if (!row.matches) continue;
      matching.push({ ...transfer, running: byPointType((type) => formatPoints(sums[type])) });
    }
    if (matching.length > 0) yield matching;
  }
}
