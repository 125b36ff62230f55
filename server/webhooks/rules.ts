import { settings } from "../kernel/settings";
import type { WebhookRules } from "./create-endpoint";

/** What webhooks take from the settings of this process. */
export function webhookRules(): WebhookRules {
  const { AUTH_SECRET, WEBHOOK_ALLOW_PRIVATE } = settings();
  return { serviceSecret: AUTH_SECRET!, allowPrivate: WEBHOOK_ALLOW_PRIVATE };
}
