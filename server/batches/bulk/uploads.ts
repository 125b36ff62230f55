import type { z } from "zod";
import { findCorrected, readMetadata } from "@/server/batches/list/get-batch";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { shortestPoints } from "@/terms/points";
import { startBulk } from "./jobs";
import { previewBulk } from "./preview-bulk";
import type { UnfinishedUpload, UnfinishedUploadsInput, UploadInput } from "./schema";

const SHOWN_MAX = 20;

/** On hold since its submit. A person's hold is a later statement with another time, and is left alone. */
const WAITING = "b.status = 'PENDING' and b.held_at = b.created_at";

interface UploadRow extends Omit<UnfinishedUpload, "contractAddress" | "corrects" | "metadata"> {
  contract: Buffer;
  firstSeq: string;
}

/** Uploads of anyone with batches that wait for the rest of their file or for the release, soonest first. */
export async function listUnfinishedUploads(
  ctx: ServiceContext,
  { uploadId }: UnfinishedUploadsInput = {},
): Promise<UnfinishedUpload[]> {
  const { sql } = ctx.db;
  const rows = await sql<UploadRow[]>`
    with unfinished as materialized (
      select distinct u.upload_id
      from batches b join batch_uploads u on u.contract_address = b.contract_address and u.batch_seq = b.seq
      where b.held_at is not null and ${sql.unsafe(WAITING)}
        ${uploadId ? sql`and u.upload_id = ${uploadId}` : sql``}
    )
    select u.upload_id as id, b.contract_address as contract, b.point_type as "pointType",
      b.wait_seconds as "waitSeconds", min(u.file_name) as "fileName", min(b.id) as "firstId",
      min(b.seq)::text as "firstSeq", min(b.submitted_by) as "submittedBy", max(u.part_count) as "partCount",
      count(distinct u.part)::int as stored, count(*) filter (where b.status = 'CANCELLED')::int as cancelled,
      count(*) filter (where ${sql.unsafe(WAITING)})::int as waiting,
      coalesce(sum(b.points) filter (where ${sql.unsafe(WAITING)}), 0)::text as points,
      min(b.finalize_at) filter (where ${sql.unsafe(WAITING)}) as "firstDueAt"
    from batch_uploads u join batches b on b.contract_address = u.contract_address and b.seq = u.batch_seq
    where u.upload_id in (select upload_id from unfinished)
    group by u.upload_id, b.contract_address, b.point_type, b.wait_seconds
    having count(*) filter (where ${sql.unsafe(WAITING)}) > 0
    order by "firstDueAt", u.upload_id limit ${SHOWN_MAX}`;
  return Promise.all(
    rows.map(async ({ contract, firstSeq, ...row }) => {
      const first = { contractAddress: contract, seq: BigInt(firstSeq) };
      return {
        ...row,
        contractAddress: addressFromBytes(contract),
        corrects: await findCorrected(ctx, first),
        metadata: (await readMetadata(ctx, [first])).get(first.seq) ?? {},
        points: shortestPoints(row.points),
        firstDueAt: toTimestamp(row.firstDueAt),
      };
    }),
  );
}

interface Part {
  part: number;
  batchId: string;
  partCount: number;
  isCancelled: boolean;
  isWaiting: boolean;
}

/** Null when no batch waits. Safe to repeat. @throws DomainError when a part is missing or cancelled */
export async function releaseUpload(
  ctx: ServiceContext,
  { contractAddress, uploadId }: z.output<typeof UploadInput>,
): Promise<{ jobId: string } | null> {
  const { sql } = ctx.db;
  const contract = addressToBytes(contractAddress);
  const parts = await sql<Part[]>`
    select u.part, b.id as "batchId", u.part_count as "partCount",
      b.status = 'CANCELLED' as "isCancelled", coalesce(${sql.unsafe(WAITING)}, false) as "isWaiting"
    from batch_uploads u join batches b on b.contract_address = u.contract_address and b.seq = u.batch_seq
    where u.contract_address = ${contract} and b.contract_address = ${contract} and u.upload_id = ${uploadId}
    order by u.part, b.seq`;
  const stored = new Set(parts.map(({ part }) => part)).size;
  const partCount = Math.max(1, ...parts.map((part) => part.partCount));
  const refused = (why: string) => invalid(`${why} The others stay on hold.`);
  const missing = partCount - stored;
  if (missing > 0)
    throw refused(
      `${missing} of ${partCount} batches of this file ${missing === 1 ? "is" : "are"} not stored.`,
    );
  const cancelled = parts.filter(({ isCancelled }) => isCancelled).length;
  if (cancelled > 0)
    throw refused(
      `${cancelled} of ${partCount} batches of this file ${cancelled === 1 ? "was" : "were"} cancelled.`,
    );
  const keys = parts
    .filter(({ isWaiting }) => isWaiting)
    .map(({ batchId }) => ({ contractAddress, batchId }));
  if (keys.length === 0) return null;
  const { jobId } = await previewBulk(ctx, { action: "release", chosen: { keys } }, { uploadId });
  return startBulk(ctx, { jobId, reason: `All ${partCount} batches of the file are stored.` });
}
