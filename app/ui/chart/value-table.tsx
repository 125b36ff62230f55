import { ScrollRegion } from "@/app/ui/scroll-region";
import type { PlotSeries } from "./plot-series";
import type { NamedInstant } from "./time-axis";
import { type Measure, valueText } from "./value-text";

interface ValueTableProps {
  title: string;
  unit: string;
  measure: Measure;
  instants: readonly NamedInstant[];
  zone: string;
  series: readonly PlotSeries[];
}

/** The exact values, also for screen readers. */
export function ValueTable({ title, unit, measure, instants, zone, series }: ValueTableProps) {
  return (
    <details className="group text-table">
      <summary className="w-fit cursor-pointer rounded-badge text-muted hover:text-text">
        <span className="group-open:hidden">Show as table</span>
        <span className="hidden group-open:inline">Hide table</span>
      </summary>
      <ScrollRegion
        aria-label={`${title}, table`}
        className="mt-2 max-h-72 overflow-auto rounded-control border border-line"
      >
        <table className="w-full border-collapse tabular-nums">
          <caption className="sr-only">{unit ? `${title}, ${unit}` : title}</caption>
          <thead className="sticky top-0 bg-surface text-label text-muted">
            <tr>
              <th scope="col" className="px-3 py-1.5 text-left font-medium">
                Time ({zone})
              </th>
              {series.map(({ name }) => (
                <th key={name} scope="col" className="px-3 py-1.5 text-right font-medium">
                  {unit ? `${name} (${unit})` : name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {instants.map(({ at, label }, index) => (
              <tr key={at} className="border-line border-t">
                <th scope="row" className="whitespace-nowrap px-3 py-1 text-left font-normal">
                  {label}
                </th>
                {series.map(({ name, values }) => (
                  <td key={name} className="whitespace-nowrap px-3 py-1 text-right">
                    {valueText(values[index] ?? null, measure)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}
