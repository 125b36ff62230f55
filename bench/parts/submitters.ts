import type { Database } from "@/db/client";
import type { Store } from "../check-stored";
import { type Contender, startApp, startExpert } from "../contenders";
import type { LoadCaller } from "../load/load-plan";
import { makeRowsTable } from "../peers/rows";
import { startPayload } from "../start-payload";
import { type BenchDatabase, callerAddress, forgetBatches, makeCallers, type World } from "../world";

export const CALLERS = 16;
export const SUBMITTERS = ["ours", "expert", "SQL", "payload", "Next door", "with finalizer"] as const;
export type SubmitterName = (typeof SUBMITTERS)[number];

export interface Submitter {
  name: SubmitterName;
  url: string;
  database: BenchDatabase;
  store: Store;
  callers: LoadCaller[];
  /** Null for the peer without its own process. */
  contender: Contender | null;
}

export async function startSubmitter(world: World, name: SubmitterName): Promise<Submitter> {
  if (name === "payload") return startPayloadSubmitter(world);
  const database = await world.newDatabase(name.toLowerCase().replaceAll(" ", "_"));
  const callers = await makeCallers(database.db, CALLERS);
  const databaseUrl = database.url;
  const store = name === "expert" || name === "SQL" ? "rows" : "packed";
  if (store === "rows") await makeRowsTable(database.db);
  const made = { name, database, store, callers } as const;
  if (name === "SQL") return { ...made, url: databaseUrl, contender: null };
  const contender =
    name === "expert"
      ? await startExpert(world, databaseUrl)
      : await startApp(world, {
          databaseUrl,
          door: name === "Next door" ? "next" : "host",
          environment: name === "with finalizer" ? { FINALIZER: "on" } : {},
        });
  return { ...made, url: contender.url, contender };
}

/** Anyone may call it, because it is faster without a user lookup. */
async function startPayloadSubmitter(world: World): Promise<Submitter> {
  const database = await world.emptyDatabase("payload");
  const contender = await startPayload(world, database.url);
  const callers = Array.from({ length: CALLERS }, (_, at) => ({
    contractAddress: callerAddress(at + 1),
    token: "",
  }));
  return { name: "payload", url: contender.url, database, store: "payload", callers, contender };
}

/** Deletes everything submitted, so that every run starts with the same tables and a fresh checkpoint. */
export async function forgetSubmitted(store: Store, db: Database): Promise<void> {
  if (store !== "payload") return forgetBatches(db, store === "packed" ? "batch_transfers" : "transfers");
  await db.sql`truncate batches cascade`;
  await db.sql`checkpoint`;
}
