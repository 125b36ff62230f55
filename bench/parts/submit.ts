import { type Contender, startApp, startPeer } from "../contenders";
import { interleave, type Side } from "../interleave";
import type { AddressLetters, LoadCaller, SubmitWork } from "../load/load-plan";
import { each as eachRound, type MeasuredLoad, measureLoad, sayLoads } from "../load/measure-load";
import { median, ratioOf, short, table, withSpread } from "../measure";
import type { BenchOptions, Figure, PartReport, Target } from "../report";
import { type BenchDatabase, forgetBatches, makeCallers, openWorld, type World } from "../world";

const CALLERS = 16;
const WARM_UP_SECONDS = 1;

interface Submitter {
  name: SubmitterName;
  url: string;
  database: BenchDatabase;
  callers: LoadCaller[];
  /** Null for the peer without a process of its own. */
  contender: Contender | null;
}
type SubmitterName = "ours" | "expert" | "SQL" | "Next door" | "with finalizer";

interface Case {
  transfers: number;
  connections: number;
  letters: AddressLetters;
  targets?: { expert?: Target; SQL?: Target };
}

const CASES: readonly Case[] = [
  {
    transfers: 2000,
    connections: 16,
    letters: "eip55",
    targets: { expert: { atLeast: 1 }, SQL: { atLeast: 0.5 } },
  },
  {
    transfers: 2000,
    connections: 16,
    letters: "lower",
    targets: { expert: { atLeast: 1 }, SQL: { atLeast: 0.5 } },
  },
  { transfers: 100, connections: 16, letters: "eip55", targets: { expert: { atLeast: 0.85 } } },
  { transfers: 10, connections: 16, letters: "eip55", targets: { expert: { atLeast: 0.85 } } },
  { transfers: 1, connections: 16, letters: "eip55" },
  { transfers: 2000, connections: 1, letters: "eip55" },
  { transfers: 100, connections: 1, letters: "eip55" },
  { transfers: 10, connections: 1, letters: "eip55" },
  { transfers: 1, connections: 1, letters: "eip55" },
];

/** Transfers a second by size of batch and connections, beside the peers. */
export async function benchSubmit(options: BenchOptions): Promise<PartReport> {
  const world = await openWorld();
  const submitters: Submitter[] = [];
  try {
    for (const name of ["ours", "expert", "SQL", "Next door", "with finalizer"] as const) {
      if (!options.without.has(name)) submitters.push(await startSubmitter(world, name));
    }
    for (const { contender } of submitters) contender?.pause();
    const rows: string[][] = [];
    const figures: Figure[] = [];
    for (const each of CASES.filter((one) => options.wants(nameOf(one)))) {
      const sides = submitters.map((submitter) => sideOf(submitter, each, options, world.postgresPid));
      const measured = await interleave(sides, options.rounds);
      sayLoads(nameOf(each), measured);
      rows.push(rowOf(each, measured));
      figures.push(...figuresOf(each, measured));
    }
    const head = [
      "transfers",
      "connections",
      "addresses",
      ...submitters.map(({ name }) => name),
      "× expert",
      "× SQL",
    ];
    return { title: "Submit, transfers a second", text: table(head, rows), figures };
  } finally {
    for (const { contender } of submitters) await contender?.stop();
    await world.close();
  }
}

async function startSubmitter(world: World, name: SubmitterName): Promise<Submitter> {
  const database = await world.newDatabase(name.toLowerCase().replaceAll(" ", "_"));
  const callers = await makeCallers(database.db, CALLERS);
  const databaseUrl = database.url;
  if (name === "SQL") return { name, url: databaseUrl, database, callers, contender: null };
  const contender =
    name === "expert"
      ? await startPeer("bench/peers/expert/server.mjs", { DATABASE_URL: databaseUrl })
      : await startApp({
          databaseUrl,
          door: name === "Next door" ? "next" : "host",
          environment: name === "with finalizer" ? { FINALIZER: "on" } : {},
        });
  return { name, url: contender.url, database, callers, contender };
}

function sideOf(
  { name, url, database, callers, contender }: Submitter,
  { transfers, connections, letters }: Case,
  { seconds }: BenchOptions,
  postgresPid: number,
): Side<SubmitterName, MeasuredLoad> {
  const work: SubmitWork = { kind: "submit", transfers, letters, bodies: bodiesOf(transfers) };
  const plan = { url, connections, warmUpSeconds: WARM_UP_SECONDS, seconds, work, callers };
  return {
    name,
    async run() {
      await forgetBatches(database.db);
      return measureLoad(plan, contender, postgresPid);
    },
  };
}

/** More addresses than the service remembers checksums of, and every caller as often as another. */
const bodiesOf = (transfers: number) => CALLERS * Math.max(1, Math.ceil(65_536 / transfers / CALLERS));

const nameOf = ({ transfers, connections, letters }: Case) =>
  `submit ${transfers} at ${connections}, ${letters}`;

type Measured = ReadonlyMap<SubmitterName, MeasuredLoad[]>;
const ratesOf = (measured: Measured, name: SubmitterName) =>
  eachRound(measured.get(name) ?? [], "requestsPerSecond");

function rowOf({ transfers, connections, letters }: Case, measured: Measured): string[] {
  const ratio = (peer: SubmitterName) =>
    measured.has(peer) ? withSpread(ratioOf(ratesOf(measured, "ours"), ratesOf(measured, peer))) : "–";
  return [
    String(transfers),
    String(connections),
    letters === "lower" ? "lower case" : "EIP-55, new",
    ...[...measured.values()].map((rounds) =>
      short(median(eachRound(rounds, "requestsPerSecond")) * transfers),
    ),
    ratio("expert"),
    ratio("SQL"),
  ];
}

function figuresOf({ transfers, connections, letters, targets }: Case, measured: Measured): Figure[] {
  const key = `submit.${transfers}.${connections}.${letters}`;
  const what = nameOf({ transfers, connections, letters });
  return [...measured.keys()]
    .filter((name) => name !== "ours")
    .map((name): Figure => {
      const isPeer = name === "expert" || name === "SQL";
      const [one, other] = isPeer ? (["ours", name] as const) : ([name, "ours"] as const);
      return {
        key: `${key}/${name.replaceAll(" ", "-")}`,
        what: `${what}: ${one} × ${other}`,
        worse: "lower",
        ...ratioOf(ratesOf(measured, one), ratesOf(measured, other)),
        ...(isPeer && targets?.[name] ? { target: targets[name] } : {}),
      };
    });
}
