import { SETTINGS, type Settings } from "@/server/env";

/** The settings that callers may know: an allow-list, so that a new setting stays unseen until it is put here. */
const SHOWN = [
  "MAX_TRANSFERS_PER_BATCH",
  "MINIMUM_TRANSFER_POINTS",
  "MINIMUM_TRANSFER_GOLD",
  "MINIMUM_FINALIZE_SECONDS",
  "DEFAULT_FINALIZE_SECONDS",
  "BODY_BYTES_MAX",
] as const satisfies (keyof Settings)[];

/** The limits of this host as they are set. */
export function Limits({ settings }: { settings: Settings }) {
  return (
    <section aria-labelledby="limits" className="flex flex-col gap-3 pb-12">
      <h2 id="limits" className="scroll-mt-20 font-semibold text-title max-lg:scroll-mt-28">
        Limits here
      </h2>
      <table className="w-full max-w-[72ch] border-line border-b text-left text-table">
        <thead className="sr-only">
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {SHOWN.map((name) => (
            <tr key={name} className="border-line border-t align-top">
              <th scope="row" className="py-2 pr-4 font-normal">
                {SETTINGS[name].description}
                <span className="wrap-anywhere block font-mono text-[11px]/4 text-muted">{name}</span>
              </th>
              <td className="py-2 text-right font-medium tabular-nums">
                {settings[name].toLocaleString("en-GB")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
