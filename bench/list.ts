import { type Contender, peer, startApp, startPeer } from "./contenders";
import { measureLoad } from "./load";
import type { SubmitWork } from "./load-plan";
import { type BenchOptions, measureWorks, type Side, short } from "./measure";
import { bodiesOf } from "./submit";
import { seedBatches, unpackIntoRows, type World } from "./world";

const SEED = { transfersEach: 4, recipients: 100_000, due: false };
const MIDDLE = new Date(Date.now() - 45 * 86_400_000);
const WORKS: readonly { name: string; work: { query: string } | SubmitWork }[] = [
  { name: "list, first page", work: { query: "" } },
  { name: "list, ten batches", work: { query: "?limit=10" } },
  // Each contract has ten per filter even with a thousand batches, so pages are equally full at each size.
  { name: "list, status", work: { query: "?limit=10&status=PENDING" } },
  { name: "list, createdBefore", work: { query: `?limit=10&createdBefore=${MIDDLE.toISOString()}` } },
  { name: "list, then submit 100", work: { transfers: 100, letters: "eip55", bodies: bodiesOf(100) } },
];

/** Lists with few and with many stored batches, compared with the expert's service at the last size. */
export async function benchList(options: BenchOptions, world: World): Promise<string> {
  const stations: ((work: { query: string } | SubmitWork) => Side)[] = [];
  const { sizes, seconds, without } = options;
  for (const size of sizes) {
    const { url, db } = await world.newDatabase(`ours_${size}`);
    const callers = await seedBatches(db, { ...SEED, batches: size });
    await db.close();
    const add = (side: string, contender: Contender) =>
      stations.push((work) => ({
        name: `${side} at ${short(size)}`,
        run: () => measureLoad({ url: contender.url, seconds, work, callers }, contender, world.postgresPid),
      }));
    // The copy is made before the app connects.
    const withExpert = size === sizes.at(-1) && !without.has(peer);
    const copy = withExpert ? await world.newDatabase(peer, `ours_${size}`) : null;
    if (copy && peer === "expert") await unpackIntoRows(copy.db);
    add("ours", await startApp(world, url));
    if (copy) add(peer, await startPeer(world, copy.url));
  }
  const works = WORKS.map(({ name, work }) => ({ name, sides: async () => stations.map((of) => of(work)) }));
  const [least, most] = [sizes[0]!, sizes.at(-1)!].map(short);
  return measureWorks(works, `ours at ${most}`, [`${peer} at ${most}`, `ours at ${least}`], options);
}
