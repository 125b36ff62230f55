import type { Database } from "@/db/client";
import { peer, startApp, startPeer } from "./contenders";
import { measureLoad } from "./load";
import { makeTransfers, type SubmitWork } from "./load-plan";
import { type BenchOptions, measureWorks, type Side } from "./measure";
import { CALLERS, makeCallers, unpackIntoRows, type World } from "./world";

interface Row extends Pick<SubmitWork, "transfers" | "letters"> {
  /** How many contracts the sixteen connections submit for. */
  contracts?: number;
}

const WORKS: readonly Row[] = [
  { transfers: 2000, letters: "lower" },
  { transfers: 2000, letters: "eip55" },
  { transfers: 100, letters: "eip55" },
  { transfers: 10, letters: "eip55" },
  { transfers: 10, letters: "eip55", contracts: 1 },
  { transfers: 1, letters: "eip55" },
];

/** More addresses than the service's checksum cache, and each caller equally often. */
export const bodiesOf = (transfers: number) => CALLERS * Math.max(1, Math.ceil(65_536 / transfers / CALLERS));

/** Submits by batch size, compared with the expert. */
export async function benchSubmit(options: BenchOptions, world: World): Promise<string> {
  const names = (["ours", peer] as const).filter((name) => !options.without.has(name));
  const submitters: ((work: SubmitWork, contracts: number) => Side)[] = [];
  for (const name of names) submitters.push(await startSubmitter(world, name, options.seconds));
  const works = WORKS.map(({ contracts = CALLERS, ...work }) => ({
    name: `submit ${work.transfers} at 16, ${work.letters}${contracts === 1 ? ", one contract" : ""}`,
    sides: async () => submitters.map((of) => of({ ...work, bodies: bodiesOf(work.transfers) }, contracts)),
  }));
  return measureWorks(works, "ours", [peer], options);
}

async function startSubmitter(world: World, name: "ours" | typeof peer, seconds: number) {
  const { db, url: databaseUrl } = await world.newDatabase(name.toLowerCase());
  const callers = await makeCallers(db);
  const table = name === "ours" || name === "other" ? "batch_transfers" : "transfers";
  if (table === "transfers") await unpackIntoRows(db);
  const contender = await (name === "ours" ? startApp : startPeer)(world, databaseUrl);
  return (work: SubmitWork, contracts: number): Side => ({
    name,
    async run() {
      // A contender that was paused in a transaction ends it first.
      await contender.resume();
      await forgetBatches(db, table);
      const measured = await measureLoad(
        { url: contender.url, seconds, work, callers: callers.slice(0, contracts) },
        contender,
        world.postgresPid,
      );
      await checkStored(db, measured.requestsSent, work, table);
      return measured;
    },
  });
}

/** Deletes everything submitted, so that every run starts with the same tables and a fresh checkpoint. */
async function forgetBatches({ sql }: Database, transfersTable: string): Promise<void> {
  await sql`truncate batches, ${sql(transfersTable)}, recipient_transfers`;
  await sql`update accounts set pending = 0`;
  await sql`vacuum accounts, access_tokens, rate_limits`;
  await sql`checkpoint`;
}

/** Checks that every sent batch is stored with all its rows and points: storing less would be faster. */
async function checkStored({ sql }: Database, sent: number, work: SubmitWork, table: string) {
  const points = makeTransfers(work).map((row) => row.points);
  const stored =
    table === "transfers"
      ? sql`select count(*) as rows, sum(points) as points from transfers
          group by batch_seq, contract_address`
      : sql`select length(addresses) / 20 as rows, (select sum(p) from unnest(points) as p) as points
          from batch_transfers`;
  const [found] = await sql<{ batches: number; whole: number }[]>`
    select (select count(*)::int from batches) as batches,
      (select count(*)::int from (${stored}) as each where each.rows = ${work.transfers}
        and each.points = (select sum(p) from unnest(${points}::text[]::numeric[]) as p)) as whole`;
  if (found?.batches !== sent || found.whole !== sent)
    throw new Error(`${sent} batches were sent, stored ${JSON.stringify(found)}`);
}
