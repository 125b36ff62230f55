import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { ReportError } from "@/app/(console)/contracts/refresh";
import { unlessBusy } from "@/app/(console)/reads";
import { formatAmount, formatCount } from "@/app/ui/amount";
import { Plot, TablesSwitch, tickLabel } from "@/app/ui/plot";
import { Section } from "@/app/ui/section";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";
import type { Band } from "@/server/snapshots/read-spread";
import { consoleCaller } from "@/server/trpc/caller";
import { percentOf } from "./share";

const TICKS_MAX = 8;

/** Drawn on the server, after the rest of the page. */
export async function SpreadPlots({ snapshot }: { snapshot: ConsoleSnapshot }) {
  const { snapshots } = (await consoleCaller()).console;
  const spread = await unlessBusy(snapshots.spread({ snapshotId: snapshot.id }));
  if (!spread)
    return (
      <ReportError
        title="The spread is not available"
        detail="The service is busy, or the snapshot has too many holders to sort in time."
      />
    );
  const { bands, tops, median, largest } = spread;
  const unit = TYPE_LABELS[snapshot.pointType].toLowerCase();
  const axis = { labels: bands.map(bandName), labelName: "Holding", ticks: bandTicks(bands) };
  return (
    <Section
      title="How holdings are spread"
      note={`median ${formatAmount(median ?? "0")}, largest ${formatAmount(largest ?? "0")}`}
      actions={<TablesSwitch />}
    >
      <div className="card grid gap-x-8 gap-y-6 p-4 @4xl:grid-cols-3">
        <Plot
          title="Holders by what they hold"
          description={`The number of holders in each range of ${unit}.`}
          kind="amounts"
          {...axis}
          series={[{ name: "Holders", values: bands.map(({ holders }) => String(holders)) }]}
          empty="Nobody holds anything"
        />
        <Plot
          title="What they hold together"
          description={`The ${unit} of all holders in each range.`}
          unit={unit}
          kind="amounts"
          {...axis}
          series={[{ name: "Together", values: bands.map(({ points }) => points) }]}
          empty="Nobody holds anything"
        />
        <Plot
          title="Share of the largest holders"
          description={`The share of all ${unit} that the largest holders have together.`}
          kind="shares"
          labels={tops.map(({ holders }) => `Largest ${formatCount(holders)}`)}
          labelName="Holders"
          ticks={tops.flatMap(({ holders }, index) => {
            if (index === tops.length - 1) return [{ index, label: "All" }];
            return /^10*$/.test(String(holders)) ? [{ index, label: tickLabel(holders) }] : [];
          })}
          series={[{ name: "Share", values: tops.map(({ points }) => percentOf(points, snapshot.points)) }]}
          empty="Nobody holds anything"
        />
      </div>
    </Section>
  );
}

const bandName = ({ from, to }: Band) => `${formatAmount(from)} to below ${formatAmount(to)}`;

/** Powers of ten, or every band where there are few. */
function bandTicks(bands: readonly Band[]) {
  const all = bands.map(({ from }, index) => ({ index, label: tickLabel(Number(from)) }));
  if (all.length <= TICKS_MAX) return all;
  const powers = all.filter(({ index }) => bands[index]!.from.includes("1"));
  const every = Math.ceil(powers.length / TICKS_MAX);
  return powers.filter((_, at) => at % every === 0);
}
