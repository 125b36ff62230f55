import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { settleClaim } from "@/server/ledger/settle";
import { type BenchOptions, cpuTimeMs, measureWorks, type Side } from "./measure";
import { settleInOneStatement } from "./peers/statements";
import { seedBatches, unpackIntoRows, type World } from "./world";

const CASES = [
  { batches: 10_000, transfersEach: 20 },
  { batches: 500, transfersEach: 2000 },
];

/** How a side finalizes everything due, and the statement that reads every transfer once into memory. */
const SETTLERS = {
  ours: {
    settle: settleClaims,
    readAll:
      "select sum(length(addresses || ''::bytea)), sum(pg_column_size(points || '{}'::numeric[])) " +
      "from batch_transfers",
  },
  "one statement": { settle: settleInOneStatement, readAll: "select sum(points) from transfers" },
};
type SettlerName = keyof typeof SETTLERS;

/** Batches finalized by one finalizer, compared with the best single statement. */
export async function benchSettle(options: BenchOptions, world: World): Promise<string> {
  const names = (Object.keys(SETTLERS) as SettlerName[]).filter((name) => !options.without.has(name));
  const works = CASES.map((each) => ({
    name: `settle ${each.batches} of ${each.transfersEach}`,
    async sides() {
      const seeded = await world.newDatabase(`ours_${each.batches}`);
      await seedBatches(seeded.db, { ...each, recipients: 200_000, due: true });
      await seeded.db.close();
      const unpacked = await world.newDatabase(`one_statement_${each.batches}`, `ours_${each.batches}`);
      await unpackIntoRows(unpacked.db);
      await unpacked.db.close();
      return names.map((name) => sideOf(world, name, each.batches));
    },
  }));
  return measureWorks(works, "ours", ["one statement"], options);
}

function sideOf(world: World, name: SettlerName, batches: number): Side {
  return {
    name,
    async run() {
      const { db, drop } = await world.newDatabase("run", `${name.replace(" ", "_")}_${batches}`);
      // Only claims need the rule that a batch is FINALIZING first.
      if (name !== "ours") await db.sql`drop trigger if exists batches_legal_change on batches`;
      await db.sql`checkpoint`;
      await db.sql.unsafe(SETTLERS[name].readAll);
      const database = cpuTimeMs(world.postgresPid);
      const own = process.cpuUsage();
      const startedAt = performance.now();
      await SETTLERS[name].settle(db);
      const seconds = (performance.now() - startedAt) / 1000;
      const { user, system } = process.cpuUsage(own);
      const databaseCpuMs = (cpuTimeMs(world.postgresPid) - database) / batches;
      await expectSettled(db, name);
      await drop();
      return { perSecond: batches / seconds, serviceCpuMs: (user + system) / 1000 / batches, databaseCpuMs };
    },
  };
}

async function settleClaims(db: Database): Promise<void> {
  for (;;) {
    const claim = await claimDueBatches(db, randomUUID());
    if (claim.batches === 0) return;
    await settleClaim(db, claim);
  }
}

/** A side must not win by omitting work. */
async function expectSettled({ sql }: Database, name: SettlerName): Promise<void> {
  const [{ isDone } = {}] = await sql<{ isDone: boolean }[]>`
    select bool_and(status = 'FINALIZED') and sum(points) = (select sum(received) from accounts) as "isDone"
    from batches`;
  if (!isDone) throw new Error(`${name} left batches open, or credited another sum`);
}
