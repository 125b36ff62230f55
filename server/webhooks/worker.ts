import { database } from "../kernel/database";
import { startWorkLoop } from "../kernel/work-loop";
import { deliverDueWebhooks } from "./deliver-due";
import { webhookRules } from "./rules";

const TICK_MS = 500;
/** Runs are limited in time, so that their view of busy endpoints stays current. */
const RUN_SECONDS_MAX = 60;

export const startWebhookWorker = () =>
  startWorkLoop({
    everyMs: TICK_MS,
    work: (isStopping) =>
      deliverDueWebhooks(database(), { budgetSeconds: RUN_SECONDS_MAX, isStopping, ...webhookRules() }),
    failure: "webhook run failed, retrying",
  });
