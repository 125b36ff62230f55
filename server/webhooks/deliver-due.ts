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

export const ATTEMPT_SECONDS_MAX = 10;
/** While slow receivers use some slots, newly due deliveries get the others. */
const LOOK_EVERY_MS = 500;
/** Deliveries that finish together trigger one claim, not one each. */
const GATHER_MS = 20;

export interface DeliverOptions extends Pick<SendOptions, "allowPrivate" | "ports" | "resolve"> {
  /** Starts no attempt that might not finish within this budget. */
  budgetSeconds: number;
  /** Decrypts the signing secrets. */
  serviceSecret: string;
  /** Stops early, after the attempts in progress. */
  isStopping?: () => boolean;
}

export interface DeliverRun {
  delivered: number;
  failed: number;
}

/** Sends due deliveries, several at a time, until none are left or time is up. Safe to run concurrently. */
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
    for (const delivery of claimed) begin(delivery, Math.min(ATTEMPT_SECONDS_MAX, secondsLeft));
    if (running.size === 0) return run;
    await Promise.race([...running, sleep(LOOK_EVERY_MS)]);
    await sleep(GATHER_MS);
  }
}

/** Makes one attempt and returns whether it succeeded. Never throws: an outcome that was not stored is retried after the lease. */
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
    log().warn(
      { error, delivery: delivery.id },
      "failed to store the outcome of a webhook delivery, it will be sent again",
    );
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
      failure: "AUTH_SECRET has changed. Rotate the signing secret.",
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
