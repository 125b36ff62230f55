import { settings } from "../kernel/settings";
import type { WebhookRules } from "./create-endpoint";

export function webhookRules(): WebhookRules {
  const { AUTH_SECRET, WEBHOOK_ALLOW_PRIVATE, WEBHOOK_PORTS } = settings();
  return { serviceSecret: AUTH_SECRET!, allowPrivate: WEBHOOK_ALLOW_PRIVATE, ports: WEBHOOK_PORTS };
}
