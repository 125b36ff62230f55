import { afterEach, beforeEach } from "vitest";
import { deliverDueWebhooks } from "@/server/webhooks/deliver-due";
import { listDeliveries } from "@/server/webhooks/deliveries";
import { createEndpoint, listEndpoints } from "@/server/webhooks/endpoints";
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/terms/batch-terms";
import { newContract, shifted, testContext } from "./factories";
import { type Receiver, startReceiver } from "./local-servers";
import { useDatabase } from "./test-database";

export const SERVICE_SECRET = "auth-secret-of-this-test";
export const RULES = { serviceSecret: SERVICE_SECRET, allowPrivate: true };

interface Endpoint {
  contractAddress: string;
  webhookId: string;
}

/** A database for a file's tests, and for each test a receiver and an empty outbox. */
export function webhookWorld() {
  const db = useDatabase();
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await receiver.close();
    await db.sql`truncate webhook_endpoints, webhook_deliveries`;
  });
  const admin = () => testContext(db, "staff:admin@example.com");
  return {
    world: {
      db,
      get receiver() {
        return receiver;
      },
    },
    admin,
    deliver: (options: Partial<Parameters<typeof deliverDueWebhooks>[1]> = {}) =>
      deliverDueWebhooks(db, { budgetSeconds: 20, ...RULES, ...options }),
    /** An endpoint of a new contract. */
    async listen(events: readonly WebhookEvent[] = WEBHOOK_EVENT_NAMES, url = receiver.url) {
      const contractAddress = await newContract(db);
      const { endpoint, secret } = await createEndpoint(admin(), { contractAddress, url, events }, RULES);
      return { contractAddress, webhookId: endpoint.id, secret: secret! };
    },
    log: async (of: Endpoint) => (await listDeliveries(admin(), of)).deliveries,
    endpointOf: async (of: Endpoint) => (await listEndpoints(admin(), of))[0]!,
    /** Simulates that time has passed. */
    async pass(interval: string) {
      const earlier = (...columns: string[]) =>
        db.sql.unsafe(
          columns
            .map((column) => `${column} = ${shifted(column, `-extract(epoch from interval '${interval}')`)}`)
            .join(),
        );
      await db.sql`update webhook_deliveries set ${earlier("next_attempt_at", "last_attempt_at")}`;
      await db.sql`
        update webhook_endpoints set ${earlier("paused_until", "failing_since", "previous_secret_until")}`;
    },
    answerWith: (status: number) => receiver.answerWith((response) => response.writeHead(status).end()),
  };
}
