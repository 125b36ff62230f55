import { TriangleAlert } from "lucide-react";
import type { Warning } from "./warnings";

/** Always rendered, so that screen readers announce a new warning. */
export function WarningList({ warnings }: { warnings: Warning[] }) {
  return (
    <div role="status" aria-label="Warnings" className="empty:sr-only">
      {warnings.length > 0 && (
        <ul className="flex flex-col gap-2">
          {warnings.map(({ kind, title, remedy }) => (
            <li key={kind} className="flex gap-3 rounded-card bg-overdue-ground px-4 py-3 text-overdue">
              <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
              <div className="min-w-0">
                <p className="font-semibold">{title}</p>
                <p className="text-table">{remedy}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
