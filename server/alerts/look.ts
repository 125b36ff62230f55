import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import type { ServiceContext } from "../kernel/context";
import { log } from "../kernel/log";
import { approvalConditions, CONTRACTS_MAX, proposalConditions } from "./approval-conditions";
import { batchConditions } from "./batch-conditions";
import type { AlertKind, Condition } from "./kinds";
import { LOW_MAX, pointsConditions } from "./points-conditions";
import { serviceConditions } from "./service-conditions";
import { storeConditions } from "./store-conditions";
import { type Job, takeTurn } from "./take-turn";
import { ENDPOINTS_MAX, webhookConditions } from "./webhook-conditions";

/** All instances together look this often at most. */
export const LOOK_EVERY_SECONDS = 15;

interface Source {
  kinds: readonly AlertKind[];
  /** A more expensive source is asked less often. */
  turn?: { job: Job; seconds: number };
  /** Conditions that it reads at most. What a full list lacks may still be true, so it ends nothing. */
  most?: number;
  read(ctx: ServiceContext): Promise<Condition[]>;
}

const SOURCES: readonly Source[] = [
  { kinds: ["check", "tick", "overdue", "run"], read: serviceConditions },
  { kinds: ["webhook"], most: ENDPOINTS_MAX, read: webhookConditions },
  { kinds: ["batch"], turn: { job: "look at batches", seconds: 60 }, read: batchConditions },
  {
    kinds: ["approval"],
    turn: { job: "look at approvals", seconds: 60 },
    most: CONTRACTS_MAX,
    read: approvalConditions,
  },
  {
    kinds: ["proposal"],
    turn: { job: "look at proposals", seconds: 60 },
    most: CONTRACTS_MAX,
    read: proposalConditions,
  },
  { kinds: ["points"], turn: { job: "look at points", seconds: 600 }, most: LOW_MAX, read: pointsConditions },
];

/** Looks for conditions and stores them as alerts, unless an instance has done so within the last seconds. */
export async function lookForAlerts(db: Database): Promise<void> {
  if (!(await takeTurn(db, "look", LOOK_EVERY_SECONDS))) return;
  const ctx: ServiceContext = { db, requestId: randomUUID(), actor: "alerts" };
  const kinds: AlertKind[] = [];
  const found: Condition[] = [];
  // One after the other: alerts must not take many connections from requests.
  for (const source of SOURCES) {
    try {
      if (source.turn && !(await takeTurn(db, source.turn.job, source.turn.seconds))) continue;
      const conditions = await source.read(ctx);
      found.push(...conditions);
      if (!source.most || conditions.length < source.most) kinds.push(...source.kinds);
    } catch (error) {
      // Alerts of these kinds stay as they are. The others must not wait for them.
      log().warn({ error, kinds: source.kinds }, "conditions for alerts could not be read");
    }
  }
  await storeConditions(db, kinds, found);
}
