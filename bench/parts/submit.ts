import { checkStored } from "../check-stored";
import { interleave, type Side } from "../interleave";
import type { AddressLetters, LoadPlan, SubmitWork } from "../load/load-plan";
import { each as eachRound, type MeasuredLoad, measureLoad, sayLoads } from "../load/measure-load";
import { median, ratioOf, short, table, withSpread } from "../measure";
import type { BenchOptions, Figure, PartReport, Target } from "../report";
import { buildPayload } from "../start-payload";
import type { World } from "../world";
import {
  CALLERS,
  forgetSubmitted,
  SUBMITTERS,
  type Submitter,
  type SubmitterName,
  startSubmitter,
} from "./submitters";

const WARM_UP_SECONDS = 1;

/** Peers with a ratio column: how many times as fast the service is. */
const PEERS = ["expert", "SQL", "payload"] as const;
type Peer = (typeof PEERS)[number];
const isPeer = (name: string): name is Peer => PEERS.some((peer) => peer === name);

interface Case {
  transfers: number;
  connections: number;
  letters: AddressLetters;
  targets?: Partial<Record<Peer, Target>>;
}

const CASES: readonly Case[] = [
  {
    transfers: 2000,
    connections: 16,
    letters: "eip55",
    targets: { expert: { atLeast: 1 }, SQL: { atLeast: 0.5 }, payload: { atLeast: 20 } },
  },
  {
    transfers: 2000,
    connections: 16,
    letters: "lower",
    targets: { expert: { atLeast: 1.4 }, SQL: { atLeast: 1.1 }, payload: { atLeast: 20 } },
  },
  { transfers: 100, connections: 16, letters: "eip55", targets: { expert: { atLeast: 0.75 } } },
  { transfers: 10, connections: 16, letters: "eip55", targets: { expert: { atLeast: 0.85 } } },
  { transfers: 1, connections: 16, letters: "eip55" },
  { transfers: 2000, connections: 1, letters: "eip55" },
  { transfers: 100, connections: 1, letters: "eip55" },
  { transfers: 10, connections: 1, letters: "eip55" },
  { transfers: 1, connections: 1, letters: "eip55" },
];

/** Transfers per second by batch size and connections, compared with the peers. */
export async function benchSubmit(options: BenchOptions, world: World): Promise<PartReport> {
  const names = SUBMITTERS.filter((name) => !options.without.has(name));
  if (names.includes("payload")) buildPayload();
  const submitters: Submitter[] = [];
  for (const name of names) submitters.push(await startSubmitter(world, name));
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
    ...PEERS.map((name) => `× ${name}`),
  ];
  return { title: "Submitting, transfers per second", text: table(head, rows), figures };
}

function sideOf(
  { name, url, database, store, callers, contender }: Submitter,
  { transfers, connections, letters }: Case,
  { seconds }: BenchOptions,
  postgresPid: number,
): Side<SubmitterName, MeasuredLoad> {
  const isPayload = name === "payload";
  const work: SubmitWork = {
    kind: "submit",
    transfers,
    letters,
    bodies: bodiesOf(transfers),
    ...(isPayload && { api: "payload" }),
  };
  const warmUpSeconds = WARM_UP_SECONDS;
  const plan: LoadPlan = { url, connections, warmUpSeconds, seconds, toLastReply: isPayload, work, callers };
  return {
    name,
    async run() {
      // A contender that was paused in a transaction ends it first.
      await contender?.resume();
      await forgetSubmitted(store, database.db);
      const measured = await measureLoad(plan, contender, postgresPid);
      await checkStored(database.db, store, { batches: measured.requestsSent, transfers });
      return measured;
    },
  };
}

/** More addresses than the service's checksum cache, and each caller equally often. */
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
    ...PEERS.map(ratio),
  ];
}

function figuresOf({ transfers, connections, letters, targets }: Case, measured: Measured): Figure[] {
  const key = `submit.${transfers}.${connections}.${letters}`;
  const what = nameOf({ transfers, connections, letters });
  return [...measured.keys()]
    .filter((name) => name !== "ours")
    .map((name): Figure => {
      const [one, other] = isPeer(name) ? (["ours", name] as const) : ([name, "ours"] as const);
      return {
        key: `${key}/${name.replaceAll(" ", "-")}`,
        what: `${what}: ${one} × ${other}`,
        worse: "lower",
        ...ratioOf(ratesOf(measured, one), ratesOf(measured, other)),
        ...(isPeer(name) && targets?.[name] ? { target: targets[name] } : {}),
      };
    });
}
