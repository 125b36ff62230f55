import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { Webhook } from "standardwebhooks";
import { WEBHOOK_EVENTS, type WebhookEvent } from "../../terms/batch-terms.ts";
import { webhookBody } from "../../terms/webhook-body.ts";
import type { Client } from "../src/create-client.ts";
import type { Batch, BatchStatus, BatchWithTransfers } from "../src/shapes.ts";
import { clientOf, isWithUser, optionsOf } from "./service.ts";
import { EXIT, Failure, print } from "./terminal.ts";

const POLL_MS = 2_000;
const REPLY_TIMEOUT_MS = 10_000;
/** Batches that are created in one millisecond can be stored out of order. */
const OVERLAP_MS = 60_000;
/** The service is expected to be restarted during development. */
const TOTAL_TIMEOUT_MS = 600_000;
const PAGE_MAX = 200;
const OPEN = [{ status: "PENDING" }, { status: "FINALIZING" }] as const;

const EVENT_OF = Object.fromEntries(
  Object.entries(WEBHOOK_EVENTS)
    // The API does not show what is on hold.
    .filter(([event]) => event !== "batch.held" && event !== "batch.released")
    .map(([event, status]) => [status, event]),
) as Record<BatchStatus, WebhookEvent>;

export function addWebhookCommands(program: Command, signal: AbortSignal): void {
  const webhooks = program.command("webhooks").description("Test a receiver of webhooks.");
  webhooks
    .command("listen")
    .description("Post changes of the contract's batches to a URL of this machine, signed as webhooks are.")
    .requiredOption("--forward-to <url>", "the receiver, such as http://localhost:4000/webhooks")
    .addHelpText(
      "after",
      `
The changes are found by polling the API every ${POLL_MS / 1000} s, so no tunnel and no registered webhook is
needed. A change that is quickly followed by another may be skipped, batch.held and batch.released are never
sent, and no event is repeated.
The secret is printed; POINT_BATCHES_WEBHOOK_SECRET sets it.

Example:
  point-batches webhooks listen --forward-to http://localhost:4000/webhooks`,
    )
    .action(async (_: object, command: Command) => {
      const { forwardTo, json, ...options } = optionsOf<{ forwardTo: string }>(command);
      if (!/^https?:\/\//i.test(forwardTo) || !URL.canParse(forwardTo) || isWithUser(new URL(forwardTo)))
        throw new Failure(
          EXIT.usage,
          "--forward-to must be an http or https URL, without a user or password.",
        );
      const secret =
        process.env.POINT_BATCHES_WEBHOOK_SECRET ?? `whsec_${randomBytes(32).toString("base64")}`;
      const webhook = new Webhook(secret);
      const client = clientOf(options, TOTAL_TIMEOUT_MS);
      const look = watch(client, signal);
      await look();
      const text = `Secret: ${secret}\nPosting changes to ${forwardTo}. Ctrl-C stops.`;
      print(json, { secret, forwardTo }, () => text);
      for (;;) {
        await sleep(POLL_MS, undefined, { signal });
        for (const { event, batch } of await look()) {
          const result = await post(webhook, forwardTo, event, batch);
          const text = `${new Date().toISOString()}  ${event}  ${batch.id}  → ${result}`;
          print(json, { event, batchId: batch.id, result }, () => text);
        }
      }
    });
}

interface Change {
  event: WebhookEvent;
  batch: BatchWithTransfers;
}

const isFinal = (status: BatchStatus) => status === "CANCELLED" || status === "FINALIZED";

/** Compares the open batches with those of the last look. @returns a look; the first finds no changes */
function watch(client: Client, signal: AbortSignal): () => Promise<Change[]> {
  const statuses = new Map<string, BatchStatus>();
  let since = new Date(Date.now() - OVERLAP_MS);
  let isFirst = true;
  return async () => {
    const seen = new Map<string, Batch>();
    for (const query of [...OPEN, { createdAfter: since.toISOString() }])
      for await (const batch of client.iterateBatches({ ...query, limit: PAGE_MAX }, { signal })) {
        seen.set(batch.id, batch);
        const created = new Date(Date.parse(batch.createdAt) - OVERLAP_MS);
        if (created > since) since = created;
      }
    const changes: Change[] = [];
    const open = [...statuses.keys()].filter((id) => !isFinal(statuses.get(id)!));
    for (const id of new Set([...seen.keys(), ...open])) {
      const before = statuses.get(id);
      if (seen.get(id)?.status === before && before !== undefined) continue;
      if (isFirst) {
        statuses.set(id, seen.get(id)!.status);
        continue;
      }
      const batch = await client.getBatch(id, { signal });
      if (batch.status === before) continue;
      statuses.set(id, batch.status);
      if (before === undefined && batch.status !== "PENDING")
        changes.push({ event: "batch.created", batch: { ...batch, status: "PENDING" } });
      changes.push({ event: EVENT_OF[batch.status], batch });
    }
    isFirst = false;
    return changes;
  };
}

/** @returns what the receiver answered, in words */
async function post(
  webhook: Webhook,
  url: string,
  type: WebhookEvent,
  batch: BatchWithTransfers,
): Promise<string> {
  const timestamp = type === "batch.created" ? batch.createdAt : (batch.updatedAt ?? batch.createdAt);
  const body = webhookBody(type, timestamp, batch);
  const [id, now] = [randomUUID(), new Date()];
  try {
    const reply = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(REPLY_TIMEOUT_MS),
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "point-transfer-batches",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": webhook.sign(id, now, body),
      },
      body,
    });
    reply.body?.cancel().catch(() => undefined);
    return String(reply.status);
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? message;
  }
}
