import { randomBytes } from "node:crypto";
import type { Database } from "@/db/client";
import { hashPassword } from "@/server/auth/passwords";
import { drawBatches, drawWorld, type WorldSize } from "@/server/demo/draw";
import { storeBatches, storeHistory, storeLedger, storePeople, storeRecipients } from "@/server/demo/store";
import { reviewSuspect } from "../batches/review/review-new-batches";
import type { StaffRole } from "../kernel/trpc-context";
import { DomainError } from "../kernel/values/problems";
import { dropCheckpoint } from "../ledger/checkpoint";

export interface SeedDemo extends WorldSize {
  /** Add to a database that already contains batches. */
  add: boolean;
  adminEmail: string;
  /** Generated and returned if absent. */
  adminPassword?: string | undefined;
}

export interface SeededDemo {
  batches: number;
  transfers: number;
  /** New team members with generated passwords. Existing ones keep theirs. */
  people: { email: string; role: StaffRole; password: string }[];
  tokens: { contractAddress: string; label: string; token: string }[];
}

const TABLES =
  "accounts, audit_log, batch_reviews, batch_transfers, batches, finalizer_runs, issuances, recipient_transfers";

/**
 * Fills a database with a month of realistic data in one transaction. The ledger balances.
 * @throws DomainError `validation_failed` when the database already contains batches or this seed's contracts
 */
export async function seedDemo(db: Database, options: SeedDemo): Promise<SeededDemo> {
  const people = await makePeople(db, options);
  const seeded = await db.sql.begin(async (tx) => {
    await tx`set local work_mem = '128MB'`;
    // JIT would take longer than running these statements.
    await tx`set local jit = off`;
    await drawWorld(tx, options);
    const [state] = await tx<{ hasBatches: boolean; hasSeed: boolean }[]>`
      select exists (select 1 from batches) as "hasBatches",
        exists (select 1 from contracts join demo_contracts using (address)) as "hasSeed"`;
    if (state!.hasBatches && !options.add)
      throw refusal("The database already contains batches. Use --add to add more.");
    if (state!.hasSeed) throw refusal(`Seed ${options.seed} has already been added. Use another --seed.`);
    await drawBatches(tx);
    const { tokens, added } = await storePeople(tx, people);
    await storeRecipients(tx);
    await storeBatches(tx);
    await storeLedger(tx);
    await storeHistory(tx);
    // In a database that had batches before, reviews continue where they were.
    if (!state!.hasBatches)
      await tx`
        insert into review_progress (created_at, batch_seq)
        select created_at, seq from drawn_batches join drawn_keys using (k) order by k desc limit 1
        on conflict (singleton) do nothing`;
    const [unusual] = await tx<{ contractAddress: Buffer; seq: string }[]>`
      select contract_address as "contractAddress", seq::text from drawn_keys join drawn_unusual using (k)`;
    // The next incremental check would miss batches settled before its checkpoint.
    await dropCheckpoint(tx);
    // Links of days that are part of the demo's history would no longer match it. The scheduler writes them again.
    await tx`delete from ledger_days`;
    const [size] = await tx<{ batches: number; transfers: number }[]>`
      select count(*)::int as batches, sum(transfer_count)::int as transfers from drawn_totals`;
    return { ...size!, tokens, added, unusual };
  });
  await db.sql.unsafe(`vacuum analyze ${TABLES}`);
  const { added, unusual, ...rest } = seeded;
  if (unusual) await reviewSuspect(db, unusual);
  const shown = people.filter((person) => added.includes(person.email) && person.isShown);
  return { ...rest, people: shown.map(({ email, role, password }) => ({ email, role, password })) };
}

const refusal = (message: string) => new DomainError("validation_failed", message);

/** One team member per role, and one who left. An admin only if there is none, since the first start then creates none. */
async function makePeople(db: Database, { adminEmail, adminPassword }: SeedDemo) {
  const [known] = await db.sql`select 1 from staff where role = 'admin' limit 1`;
  const made = () => randomBytes(12).toString("base64url");
  const wanted: { email: string; role: StaffRole; password: string; isShown: boolean }[] = [
    { email: "operator@example.com", role: "operator", password: made(), isShown: true },
    { email: "viewer@example.com", role: "viewer", password: made(), isShown: true },
    { email: "former@example.com", role: "viewer", password: made(), isShown: false },
  ];
  if (!known) {
    const password = adminPassword ?? made();
    wanted.unshift({ email: adminEmail.toLowerCase(), role: "admin", password, isShown: !adminPassword });
  }
  return Promise.all(
    wanted.map(async (person) => ({ ...person, passwordHash: await hashPassword(person.password) })),
  );
}
