import { readdirSync } from "node:fs";
import postgres from "postgres";
import type { FaultRow } from "./fault-row";
import { Host } from "./hosts";
import { readInvariants } from "./invariants";
import { newDatabase, openWorld, startRowPostgres } from "./world";

const HOSTS = 3;

export const threeMigrators: FaultRow = {
  name: "three-migrators",
  fault: "Three hosts start at the same time on an empty database; one is killed during its start",
  promise: "every migration is applied once, all surviving hosts serve, and there is one first admin",
  secondsMax: { full: 300, short: 60 },
  async run(run) {
    const server = await startRowPostgres(run);
    const expected = readdirSync("db/migrations").filter((name) => name.endsWith(".sql")).length;
    for (let round = 0; round < (run.short ? 1 : 10) && !run.signal.aborted; round++) {
      const url = await newDatabase(server);
      const hosts = await Promise.all(
        Array.from({ length: HOSTS }, () => Host.make(run, { DATABASE_URL: url })),
      );
      await Promise.all(hosts.map((host) => host.launch()));
      if (round % 2 === 0) await killWhileItStarts(hosts[0]!, url);
      else run.tally.injected++;
      await Promise.all(hosts.map((host) => host.app.ready()));
      const applied = await migrationsIn(url);
      run.tally.expect(
        applied.every((count) => count === 1),
        "a migration was recorded twice",
      );
      run.tally.expect(
        applied.length === expected,
        `${applied.length} of ${expected} migrations are recorded`,
      );
      const world = await openWorld(run, url);
      const [staff] = await world.db.sql<{ count: number }[]>`select count(*)::int as count from staff`;
      run.tally.expect(staff!.count === 1, `${staff!.count} first admins exist when every host is ready`);
      await readInvariants(world.db, world.record, run.tally);
      await Promise.all(hosts.map((host) => host.end()));
    }
  },
};

/** Kills it when the migration starts, then starts it again. */
async function killWhileItStarts(host: Host, url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  for (const endsAt = performance.now() + 10_000; performance.now() < endsAt; ) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`;
    if (row!.count > 0) break;
  }
  await sql.end();
  await host.kill();
  await host.launch();
}

/** How often each recorded migration is recorded. */
async function migrationsIn(url: string): Promise<number[]> {
  const sql = postgres(url, { max: 1 });
  const rows = await sql<{ count: number }[]>`
    select count(*)::int as count from drizzle.__drizzle_migrations group by created_at`;
  await sql.end();
  return rows.map(({ count }) => count);
}
