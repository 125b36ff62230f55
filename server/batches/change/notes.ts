import { v7 as uuidv7 } from "uuid";
import { auditPersonChange } from "@/server/audit/audit-person-change";
import type { AddNoteInput, BatchNote, DeleteNoteInput } from "@/server/batches/list/console-schema";
import { findBatch, type StoredBatch } from "@/server/batches/list/get-batch";
import { withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { DomainError } from "@/terms/problems";

const NOTES_MAX = 100;

// The audit log has only the note's ID, so that a deleted note's text is gone.

/** @throws DomainError `batch_not_found`, `validation_failed` when the batch has too many */
export async function addNote(ctx: ServiceContext, input: AddNoteInput): Promise<void> {
  const { contractAddress, seq } = await findBatch(ctx, input.contractAddress, input.batchId);
  const id = uuidv7();
  const key = ctx.db.sql`contract_address = ${contractAddress} and batch_seq = ${seq.toString()}::bigint`;
  await ctx.db.sql.begin(async (tx) => {
    // The lock lets a batch's notes be written one at a time, so that their number stays within the maximum.
    await tx`
      select 1 from batches where contract_address = ${contractAddress} and seq = ${seq.toString()}::bigint
      for no key update`;
    const added = await tx`
      with added as (
        insert into batch_notes (id, contract_address, batch_seq, written_by, text)
        select ${id}::uuid, ${contractAddress}::bytea, ${seq.toString()}::bigint, ${ctx.actor}, ${input.text}
        where (select count(*) from batch_notes where ${key}) < ${NOTES_MAX}::int
        returning 1
      )
      ${auditPersonChange(ctx, { ...input, action: "note.create", detail: { note: id }, changed: "added" })}
      select 1 from added`;
    if (added.length === 0)
      throw invalid(`The batch already has ${NOTES_MAX} notes. Delete one of yours first.`);
  });
}

/** Deletes one of the caller's own notes. @throws DomainError `batch_not_found`, `not_found` */
export async function deleteNote(ctx: ServiceContext, input: DeleteNoteInput): Promise<void> {
  const { contractAddress, seq } = await findBatch(ctx, input.contractAddress, input.batchId);
  const detail = { note: input.noteId };
  const deleted = await ctx.db.sql`
    with deleted as (
      delete from batch_notes where id = ${input.noteId}::uuid and written_by = ${ctx.actor}
        and contract_address = ${contractAddress} and batch_seq = ${seq.toString()}::bigint
      returning 1
    )
    ${auditPersonChange(ctx, { ...input, action: "note.delete", detail, changed: "deleted" })}
    select 1 from deleted`;
  if (deleted.length === 0) throw new DomainError("not_found", "You have no note with this ID on the batch.");
}

export async function readNotes(
  ctx: ServiceContext,
  { contractAddress, seq }: Pick<StoredBatch, "contractAddress" | "seq">,
): Promise<BatchNote[]> {
  const notes = await ctx.db.sql<BatchNote[]>`
    select id, created_at as at, written_by as by, text from batch_notes
    where contract_address = ${contractAddress} and batch_seq = ${seq.toString()}::bigint
    order by created_at, id`;
  return notes.map((note) => withTimes(note, "at"));
}
