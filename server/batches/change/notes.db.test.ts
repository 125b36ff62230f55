import type { TransactionSql } from "postgres";
import { expect, test } from "vitest";
import { untilBlocked } from "@/testing/races";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../../kernel/values/addresses";

const { db, newContract, submit, finalize } = useLedger();

async function newBatch(batchId: string, secondsToFinalize = 3600) {
  const contractAddress = await newContract();
  await submit(contractAddress, [[1, "1"]], { batchId, secondsToFinalize });
  return { contractAddress, batchId };
}
type Key = Awaited<ReturnType<typeof newBatch>>;
const operator = () => callerOf(db, "operator").batches;
const admin = () => callerOf(db, "admin").batches;
const viewer = () => callerOf(db, "viewer").batches;
const notesOn = async (key: Key) => (await viewer().get(key)).notes;
const auditOf = ({ contractAddress, batchId }: Key) =>
  db.sql<{ actor: string; action: string; detail: object }[]>`
    select actor, action, detail from audit_log
    where target = ${`batch:${contractAddress}/${batchId}`} and action like 'note.%' order by id`;

test("operators write notes and everyone reads them, oldest first with who wrote them, also on a finalized batch", async () => {
  const key = await newBatch("noted", 0);
  await finalize();
  await operator().addNote({ ...key, text: "  Called the client.\nThey will confirm. " });
  await admin().addNote({ ...key, text: "Confirmed" });
  const notes = await notesOn(key);
  expect(notes).toMatchObject([
    { by: "staff:operator@example.com", text: "Called the client.\nThey will confirm." },
    { by: "staff:admin@example.com", text: "Confirmed" },
  ]);
  const refused = "requires the role operator";
  await expect(viewer().addNote({ ...key, text: "Hello" })).rejects.toThrow(refused);
  await expect(viewer().deleteNote({ ...key, noteId: notes[0]!.id })).rejects.toThrow(refused);
});

test("only the author deletes a note, through its own batch, its text is gone, and each change has an audit row without the text", async () => {
  const key = await newBatch("secret");
  await operator().addNote({ ...key, text: "Password: hunter2" });
  const [note] = await notesOn(key);
  await expect(admin().deleteNote({ ...key, noteId: note!.id })).rejects.toThrow("You have no note");
  const elsewhere = { ...(await newBatch("other")), noteId: note!.id };
  await expect(operator().deleteNote(elsewhere)).rejects.toThrow("You have no note");
  expect(await notesOn(key)).toHaveLength(1);
  await operator().deleteNote({ ...key, noteId: note!.id });
  await expect(operator().deleteNote({ ...key, noteId: note!.id })).rejects.toThrow("You have no note");
  expect(await notesOn(key)).toEqual([]);
  const line = { actor: "staff:operator@example.com", detail: { note: note!.id } };
  expect(await auditOf(key)).toEqual([
    { ...line, action: "note.create" },
    { ...line, action: "note.delete" },
  ]);
});

test("a note that cannot be audited is not stored", async () => {
  const key = await newBatch("unaudited");
  await db.sql`alter table audit_log add constraint refused check (action <> 'note.create') not valid`;
  await expect(operator().addNote({ ...key, text: "Lost" })).rejects.toThrow();
  await db.sql`alter table audit_log drop constraint refused`;
  expect(await notesOn(key)).toEqual([]);
});

/** Adds notes to the batch that has a note with a text. */
const insertMore = (tx: typeof db.sql | TransactionSql, text: string, count: number) => tx`
  insert into batch_notes (id, contract_address, batch_seq, written_by, text)
  select gen_random_uuid(), contract_address, batch_seq, written_by, 'More'
  from batch_notes, generate_series(1, ${count}) where text = ${text}`;

test("a batch has at most 100 notes, even when two are added at the same time", async () => {
  const key = await newBatch("raced");
  await operator().addNote({ ...key, text: "Raced" });
  await insertMore(db.sql, "Raced", 98);
  let late: Promise<unknown> | undefined;
  const contract = addressToBytes(key.contractAddress);
  await db.sql.begin(async (tx) => {
    await tx`select 1 from batches where contract_address = ${contract} and id = 'raced' for no key update`;
    await insertMore(tx, "Raced", 1);
    late = admin()
      .addNote({ ...key, text: "One too many" })
      .catch((error) => error);
    await untilBlocked(db);
  });
  expect(await late).toMatchObject({ message: expect.stringContaining("already has 100 notes") });
  expect(await notesOn(key)).toHaveLength(100);
});
