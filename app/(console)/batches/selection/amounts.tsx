import { Amount } from "@/app/ui/amount";
import type { Share } from "@/server/batches/bulk/schema";
import { TYPE_LABELS } from "../status";

/** The exact amounts of each point type, one under the other. */
export function Amounts({ amounts }: Pick<Share, "amounts">) {
  if (amounts.length === 0) return <span className="text-muted">0</span>;
  return (
    <span className="flex flex-col">
      {amounts.map(({ pointType, points }) => (
        <span key={pointType} className="wrap-anywhere">
          <Amount value={points} className="whitespace-normal!" />{" "}
          <span className="text-muted">{TYPE_LABELS[pointType]}</span>
        </span>
      ))}
    </span>
  );
}
