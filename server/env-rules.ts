import type { z } from "zod";
import type { SETTINGS } from "./env";
import { isPoints, parsePoints } from "./ledger/points";

type Given = z.output<z.ZodObject<typeof SETTINGS>>;

/** What must hold of several settings together. */
export function checkTogether(settings: Given, ctx: z.RefinementCtx): void {
  if (settings.MINIMUM_FINALIZE_SECONDS > settings.DEFAULT_FINALIZE_SECONDS) {
    ctx.addIssue({
      code: "custom",
      path: ["MINIMUM_FINALIZE_SECONDS"],
      message: `must not be more than DEFAULT_FINALIZE_SECONDS (${settings.DEFAULT_FINALIZE_SECONDS})`,
    });
  }
  for (const name of ["MINIMUM_TRANSFER_POINTS", "MINIMUM_TRANSFER_GOLD"] as const) {
    if (isPoints(settings[name]) && parsePoints(settings[name]) <= 0n) {
      ctx.addIssue({ code: "custom", path: [name], message: "must be more than 0" });
    }
  }
  const oidc = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
  if (oidc.some((name) => settings[name])) {
    for (const name of oidc.filter((name) => !settings[name])) {
      ctx.addIssue({ code: "custom", path: [name], message: "is required with the other OIDC settings" });
    }
  }
  if (settings.DATABASE_URL) {
    for (const name of ["AUTH_SECRET", "CRON_SECRET"] as const) {
      if (!settings[name]) {
        ctx.addIssue({ code: "custom", path: [name], message: "is required when DATABASE_URL is set" });
      }
    }
  }
}
