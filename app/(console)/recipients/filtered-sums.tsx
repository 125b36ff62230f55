import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import type { FilteredPoints, ReceivedSums } from "@/server/recipients/console-schema";
import { Amount } from "../../ui/amount";
import { TYPE_LABELS } from "../batches/status";

const PARTS = ["credited", "pending", "held", "cancelled", "takenBack", "takingBack"] as const;
const WORDS = {
  credited: "credited",
  pending: "pending",
  held: "on hold",
  cancelled: "cancelled",
  takenBack: "taken back",
  takingBack: "to be taken back",
} as const;

/** The sums of the filtered transfers, each type under its own name. */
export function FilteredSums({ sums: { points, isWhole } }: { sums: ReceivedSums }) {
  const types = POINT_TYPES.filter(
    (type) => points[type].transfers > 0 || PARTS.some((part) => points[type][part] !== "0"),
  );
  if (types.length === 0) return null;
  return (
    <dl
      aria-label="Sums of the filtered transfers"
      className="flex flex-wrap gap-x-8 gap-y-1 rounded-card border border-line bg-surface px-4 py-2.5 text-table"
    >
      {types.map((type) => (
        <TypeSum key={type} type={type} sum={points[type]} isWhole={isWhole} />
      ))}
    </dl>
  );
}

function TypeSum({ type, sum, isWhole }: { type: PointType; sum: FilteredPoints; isWhole: boolean }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2">
      <dt className="font-medium">{TYPE_LABELS[type]}</dt>
      <dd className="text-muted">
        {!isWhole && "at least "}
        {PARTS.filter((part) => sum[part] !== "0").map((part, index) => (
          <span key={part}>
            {index > 0 && ", "}
            <Amount value={sum[part]} className="whitespace-normal! break-all font-medium text-text" />{" "}
            {WORDS[part]}
          </span>
        ))}{" "}
        in <Amount value={String(sum.transfers)} /> {sum.transfers === 1 ? "transfer" : "transfers"}
      </dd>
    </div>
  );
}
