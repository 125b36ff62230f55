import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { ReportError } from "@/app/(console)/contracts/refresh";
import { unlessBusy } from "@/app/(console)/reads";
import { HolderName } from "@/app/(console)/recipients/holder-name";
import { Amount, formatCount } from "@/app/ui/amount";
import { TextLink } from "@/app/ui/button";
import { amountColumn, DataTable } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { EmptyNote } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";
import { CHANGE_KINDS, type ChangeKind } from "@/server/snapshots/read-change";
import { consoleCaller } from "@/server/trpc/caller";
import { formatPoints, parseSum } from "@/terms/points";
import { snapshotsPath } from "./snapshot-params";

const KIND_NAMES: Record<ChangeKind, string> = {
  JOINED: "New holders",
  MORE: "Hold more",
  LESS: "Hold less",
  LEFT: "Hold nothing now",
};
const isLoss = (kind: ChangeKind) => kind === "LESS" || kind === "LEFT";

/** Drawn on the server, after the rest of the page. */
export async function SnapshotChanges({ snapshot }: { snapshot: ConsoleSnapshot }) {
  const { snapshots } = (await consoleCaller()).console;
  const change = await unlessBusy(
    snapshots.change({ snapshotId: snapshot.id }).then((read) => read ?? "none"),
  );
  if (change === null)
    return (
      <ReportError
        title="The change is not available"
        detail="The service is busy, or the snapshots have too many holders to compare in time."
      />
    );
  if (change === "none")
    return (
      <Section title="Change">
        <EmptyNote>
          There is no earlier snapshot of the same holdings. Take one as of an earlier time to see what
          changed.
        </EmptyNote>
      </Section>
    );
  const { previous, groups, movers } = change;
  const previousPath = snapshotsPath({ snapshot: previous.id });
  const rows = CHANGE_KINDS.map(
    (kind) => groups.find((group) => group.kind === kind) ?? { kind, holders: 0, points: "0" },
  );
  const unit = TYPE_LABELS[snapshot.pointType].toLowerCase();
  return (
    <Section
      title="Change"
      note={
        <>
          since <TextLink href={previousPath}>“{previous.name}”</TextLink>, as of{" "}
          <Instant at={previous.asOf} />
        </>
      }
    >
      <p className="text-table">
        <Difference from={previous.points} to={snapshot.points} />{" "}
        <span className="text-muted">
          {unit}, from <Amount value={previous.points} wraps /> to <Amount value={snapshot.points} wraps />,
          and {formatCount(previous.holders)} to {formatCount(snapshot.holders)} holders
        </span>
      </p>
      <div className="grid items-start gap-3 @4xl:grid-cols-[2fr_3fr]">
        <DataTable
          label="Change by kind"
          rows={rows}
          keyOf={({ kind }) => kind}
          columns={[
            { name: "Who", isRowHeader: true, render: ({ kind }) => KIND_NAMES[kind] },
            { name: "Holders", right: true, render: ({ holders }) => formatCount(holders) },
            {
              name: "Difference",
              right: true,
              render: ({ kind, points }) =>
                isLoss(kind) ? <Difference from={points} to="0" /> : <Difference from="0" to={points} />,
            },
          ]}
        />
        <DataTable
          label="Largest changes"
          empty="Nobody holds more or less than before."
          rows={movers}
          keyOf={({ address }) => address}
          columns={[
            { name: "Largest changes", render: (mover) => <HolderName {...mover} /> },
            amountColumn("Before", movers, ({ before }) => before),
            amountColumn("After", movers, ({ after }) => after),
            {
              name: "Difference",
              right: true,
              render: ({ before, after }) => <Difference from={before} to={after} />,
            },
          ]}
        />
      </div>
    </Section>
  );
}

/** With its sign. */
function Difference({ from, to }: { from: string; to: string }) {
  const units = parseSum(to) - parseSum(from);
  return (
    <span className="whitespace-nowrap font-medium tabular-nums">
      {units > 0n && "+"}
      <Amount value={formatPoints(units < 0n ? -units : units)} minus={units < 0n} />
    </span>
  );
}
