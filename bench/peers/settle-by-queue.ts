import { fork } from "node:child_process";
import { once } from "node:events";
import type { Database } from "@/db/client";
import { allowOneStep, SETTLE_ONE } from "./settle-statement";

/** Puts every due batch into a queue, which is not timed. @returns a function that processes the queue */
export const settleByQueue = (file: string) => async (db: Database, url: string, finalizers: number) => {
  await allowOneStep(db);
  const child = fork(`bench/peers/queues/${file}.mjs`, {
    env: { ...process.env, DATABASE_URL: url, SETTLE_ONE, FINALIZERS: String(finalizers) },
  });
  const ended = once(child, "exit");
  const said = async (word: string) => {
    const first = await Promise.race([once(child, "message"), ended]);
    if (first[0] !== word) throw new Error(`${file} sent ${first[0]} instead of ${word}`);
  };
  await said("ready");
  return async () => {
    child.send("go");
    await said("done");
    void ended;
  };
};
