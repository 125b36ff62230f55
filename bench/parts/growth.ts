import { type Contender, startApp, startExpert } from "../contenders";
import { interleave } from "../interleave";
import type { GetWork, LoadCaller, LoadPlan, SubmitWork } from "../load/load-plan";
import { type MeasuredLoad, measureLoad, sayLoads } from "../load/measure-load";
import { short } from "../measure";
import { unpackIntoRows } from "../peers/rows";
import type { BenchOptions, PartReport } from "../report";
import { seedBatches } from "../seed";
import { type BenchDatabase, makeCallers, type World } from "../world";
import { growthReport, type ReportedRow, type ReportedStation } from "./growth-report";

const CALLERS = 16;
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;
const SIZES = [1_000, 100_000, 1_000_000];

/** One service on a database of one size. */
interface Station extends ReportedStation {
  database: BenchDatabase;
  callers: LoadCaller[];
  contender: Contender;
}

interface Row extends ReportedRow {
  work(station: Station): Promise<GetWork | SubmitWork> | GetWork | SubmitWork;
}

const LIST = "/v1/contracts/{contract}/batches";
const list = (query: string) => (): GetWork => ({ kind: "get", targets: [`${LIST}${query}`] });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
/** Even with a thousand batches each contract has at least ten per filter, so pages are equally full at each size. */
const FEW = "list, ten batches";
const filtered = (name: string, query: string): Row => ({
  name: `list, ${name}`,
  work: list(`?limit=10&${query}`),
  beside: { row: FEW, target: { atMost: 2 } },
});

const ROWS: readonly Row[] = [
  { name: "list, first page", work: list(""), expert: { atLeast: 0.8 } },
  {
    name: "list, deep page",
    work: deepPage,
    beside: { row: "list, first page", target: { atMost: 1.1 } },
  },
  { name: FEW, work: list("?limit=10") },
  filtered("status", "status=PENDING"),
  filtered("pointType", "pointType=PHASE2_GOLD"),
  filtered("createdBefore", `createdBefore=${daysAgo(45)}`),
  filtered("createdAfter", `createdAfter=${daysAgo(45)}`),
  filtered("all filters", `status=FINALIZED&pointType=PHASE2_GOLD&createdAfter=${daysAgo(85)}`),
  filtered("ascending", "sort=ASC"),
  { name: "get one", work: () => ({ kind: "get", targets: [`${LIST}/{seed}`] }) },
  { name: "submit 100", work: () => ({ kind: "submit", transfers: 100, letters: "eip55", bodies: 640 }) },
];
/** What the expert's service cannot do. */
const EXPERT_CANNOT = /ascending|get one/;

/** Reads at every data size, compared with the expert's service, and how the cost grows. */
export async function benchGrowth(options: BenchOptions, world: World): Promise<PartReport> {
  const stations: Station[] = [];
  const sizes = SIZES.filter((one) => one <= options.batchesMax);
  for (const size of sizes) {
    const withExpert = size === sizes.at(-1) && !options.without.has("expert");
    stations.push(...(await openStations(world, size, withExpert)));
  }
  const measured = new Map<string, Map<string, MeasuredLoad[]>>();
  for (const row of ROWS.filter(({ name }) => options.wants(name))) {
    measured.set(row.name, await measureRow(row, stations, options, world.postgresPid));
  }
  return growthReport(measured, stations, ROWS);
}

async function openStations(world: World, size: number, withExpert: boolean): Promise<Station[]> {
  const database = await world.newDatabase(`ours_${size}`);
  const callers = await makeCallers(database.db, CALLERS);
  const startedAt = performance.now();
  await seedBatches(database.db, {
    callers,
    batches: size,
    transfersEach: 4,
    recipients: 100_000,
    due: false,
  });
  console.log(`  ${short(size)} batches stored in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const expertDatabase = withExpert ? await world.copyDatabase(`expert_${size}`, database.name) : null;
  if (expertDatabase) await unpackIntoRows(expertDatabase.db);
  const ours = await startApp(world, { databaseUrl: database.url });
  ours.pause();
  const stations = [
    { name: `ours at ${short(size)}`, isOurs: true, size, database, callers, contender: ours },
  ];
  if (expertDatabase) {
    const contender = await startExpert(world, expertDatabase.url);
    contender.pause();
    stations.push({
      ...stations[0]!,
      name: `expert at ${short(size)}`,
      isOurs: false,
      database: expertDatabase,
      contender,
    });
  }
  return stations;
}

async function measureRow(
  row: Row,
  stations: readonly Station[],
  options: BenchOptions,
  postgresPid: number,
) {
  const sides = [];
  for (const station of stations) {
    if (!station.isOurs && EXPERT_CANNOT.test(row.name)) continue;
    const { contender, callers } = station;
    await contender.resume();
    const work = await row.work(station);
    contender.pause();
    const plan: LoadPlan = {
      url: contender.url,
      connections: CONNECTIONS,
      warmUpSeconds: WARM_UP_SECONDS,
      seconds: options.seconds,
      work,
      callers,
    };
    sides.push({ name: station.name, run: () => measureLoad(plan, contender, postgresPid) });
  }
  const measured = await interleave(sides, options.rounds);
  sayLoads(row.name, measured);
  return measured;
}

/** The page in the middle of each contract's batches, found page by page like a caller. */
async function deepPage({ contender, callers, size }: Station): Promise<GetWork> {
  const pages = Math.floor(size / CALLERS / 2 / PAGE);
  const cursors: string[] = [];
  for (const caller of callers) cursors.push(await walkTo(contender.url, caller, pages));
  return { kind: "get", targets: [`${LIST}?cursor={cursor}`], cursors };
}

const PAGE = 200;

/** The cursor after `pages` pages of 200, or the last cursor. */
async function walkTo(url: string, caller: LoadCaller, pages: number): Promise<string> {
  let cursor: string | null = null;
  for (let page = 0; page < Math.max(1, pages); page++) {
    const after: string = cursor ? `&cursor=${cursor}` : "";
    const reply = await fetch(
      `${url}/v1/contracts/${caller.contractAddress}/batches?limit=${page === 0 ? 1 : PAGE}${after}`,
      {
        headers: { Authorization: `Bearer ${caller.token}` },
      },
    );
    const body = (await reply.json()) as { cursor: string | null };
    if (reply.status !== 200) throw new Error(`a page could not be read: ${JSON.stringify(body)}`);
    if (body.cursor === null) break;
    cursor = body.cursor;
  }
  if (cursor === null) throw new Error("there is only one page");
  return cursor;
}
