import { database } from "../../kernel/database";
import { startWorkLoop } from "../../kernel/work-loop";
import { workBulk } from "./work-bulk";

/** How often to look for started jobs. */
const TICK_MS = 1000;
const RUN_SECONDS_MAX = 60;

export const startBulkWorker = () =>
  startWorkLoop({
    everyMs: TICK_MS,
    work: (isStopping) => workBulk(database(), { budgetSeconds: RUN_SECONDS_MAX, isStopping }),
    failure: "bulk job run failed, retrying",
  });
