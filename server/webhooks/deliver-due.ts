import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Database } from "@/db/client";
import { log } from "../kernel/log";
import { CLAIM_MAX, type ClaimedDelivery, claimDeliveries } from "./claim-deliveries";
import { payloadOf } from "./payload";
import { isDelivered, type Outcome, recordOutcome } from "./record-outcome";
import { openSecret } from "./seal-secret";
import { type SendOptions, sendRequest } from "./send-request";

/** Longest time of one try. */
export const TRY_SECONDS_MAX = 10;
/** While slow receivers keep some places, what is due meanwhile takes the others. */
const LOOK_EVERY_MS = 500;
/** Deliveries that end together are followed by one claim, not by one each. */
const GATHER_MS = 20;

export interface DeliverOptions extends Pick<SendOptions, "allowPrivate" | "resolve"> {
  /** Nothing is begun that could not end within it. */
  budgetSeconds: number;
  /** What secrets are sealed under. */
  serviceSecret: string;
  /** Ends it sooner: what was begun is finished. */
  isStopping?: () => boolean;
}

export interface DeliverRun {
  delivered: number;
  failed: number;
}

/** Sends what is due, several at a time, until nothing is left or the time is over. Safe to run any number at once. */
export async function deliverDueWebhooks(db: Database, options: DeliverOptions): Promise<DeliverRun> {
  const endsAt = performance.now() + options.budgetSeconds * 1000;
  const run: DeliverRun = { delivered: 0, failed: 0 };
  const running = new Set<Promise<void>>();
  const taken = new Map<string, number>();
  const claimId = randomUUID();
  const begin = (delivery: ClaimedDelivery, secondsMax: number) => {
    const { endpoint_id } = delivery;
    taken.set(endpoint_id, (taken.get(endpoint_id) ?? 0) + 1);
    const task = deliver(db, claimId, delivery, { ...options, secondsMax })
      .then((isDone) => {
        run[isDone ? "delivered" : "failed"]++;
      })
      .finally(() => {
        running.delete(task);
        const left = taken.get(endpoint_id)! - 1;
        if (left > 0) taken.set(endpoint_id, left);
        else taken.delete(endpoint_id);
      });
    running.add(task);
  };
  for (;;) {
    const secondsLeft = (endsAt - performance.now()) / 1000;
    const mayBegin = secondsLeft >= 1 && !options.isStopping?.();
    const count = CLAIM_MAX - running.size;
    const claimed = mayBegin && count > 0 ? await claimDeliveries(db, { claimId, count, taken }) : [];
    for (const delivery of claimed) begin(delivery, Math.min(TRY_SECONDS_MAX, secondsLeft));
    if (running.size === 0) return run;
    await Promise.race([...running, sleep(LOOK_EVERY_MS)]);
    await sleep(GATHER_MS);
  }
}

/** One try; gives whether it arrived. Never throws: what could not be written down is tried again when the lease ends. */
async function deliver(
  db: Database,
  claimId: string,
  delivery: ClaimedDelivery,
  options: SendOptions & { serviceSecret: string },
): Promise<boolean> {
  try {
    const outcome = await send(delivery, options);
    await recordOutcome(db, claimId, delivery, outcome);
    return isDelivered(outcome);
  } catch (error) {
    log().warn({ error, delivery: delivery.id }, "a webhook's outcome was not stored; it is sent again");
    return false;
  }
}

async function send(
  delivery: ClaimedDelivery,
  options: SendOptions & { serviceSecret: string },
): Promise<Outcome> {
  const { endpoint_id, secret_sealed, previous_secret_sealed } = delivery;
  const open = (seal: Buffer) => openSecret(seal, endpoint_id, options.serviceSecret);
  const secret = open(secret_sealed);
  if (secret === null) {
    return {
      statusCode: null,
      failure: "AUTH_SECRET has changed: rotate the signing secret.",
      durationMs: 0,
    };
  }
  const body = payloadOf(delivery);
  const sentAt = new Date(delivery.now);
  const secrets = [secret, previous_secret_sealed && open(previous_secret_sealed)].filter(
    (one) => one !== null,
  );
  return sendRequest(
    delivery.url,
    {
      "Content-Type": "application/json",
      "User-Agent": "point-transfer-batches",
      "webhook-id": delivery.id,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      "webhook-signature": secrets.map((one) => new Webhook(one).sign(delivery.id, sentAt, body)).join(" "),
    },
    body,
    options,
  );
}
