import { SETTINGS } from "@/server/kernel/env";
import type { Settings } from "@/server/kernel/settings";

/** Settings that are safe to publish, with their units. New settings stay hidden until they are added here. */
const SHOWN = {
  MAX_TRANSFERS_PER_BATCH: "",
  MINIMUM_TRANSFER_POINTS: "",
  MINIMUM_TRANSFER_GOLD: "",
  MINIMUM_FINALIZE_SECONDS: "s",
  DEFAULT_FINALIZE_SECONDS: "s",
  BODY_BYTES_MAX: "bytes",
  RATE_LIMIT_PER_MINUTE: "",
  TOKEN_FAILURES_PER_MINUTE: "",
  SIGN_IN_RATE_LIMIT_PER_MINUTE: "",
  SIGN_IN_FAILURES_PER_MINUTE: "",
} as const satisfies Partial<Record<keyof Settings, string>>;

export function Limits({ settings }: { settings: Settings }) {
  return (
    <section aria-labelledby="limits" className="flex min-w-0 flex-col gap-3">
      <h2 id="limits" className="scroll-mt-20 font-semibold text-title max-lg:scroll-mt-28">
        Limits of this host
      </h2>
      <table className="w-full rounded-card border border-line border-separate border-spacing-0 bg-surface text-left text-table">
        <thead className="sr-only">
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(SHOWN).map(([key, unit]) => {
            const name = key as keyof typeof SHOWN;
            return (
              <tr key={name} className="group align-top">
                <th scope="row" className="border-line border-t px-3 py-2 font-normal group-first:border-t-0">
                  {SETTINGS[name].description}
                  <span className="wrap-anywhere block font-mono text-[11px]/4 text-muted">{name}</span>
                </th>
                <td className="whitespace-nowrap border-line border-t px-3 py-2 text-right font-medium tabular-nums group-first:border-t-0">
                  {settings[name].toLocaleString("en-GB")} <span className="text-muted">{unit}</span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
