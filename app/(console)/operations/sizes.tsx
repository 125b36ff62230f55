import type { DatabaseSizes } from "@/server/operations/read-sizes";
import { Section } from "../batches/batch/section";

const bytesText = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const UNITS = ["bytes", "kB", "MB", "GB", "TB", "PB"];

/** `12.3 MB`. A float is exact enough for sizes. */
function sizeText(bytes: string): string {
  let size = Number(bytes);
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${bytesText.format(size)} ${UNITS[unit]}`;
}

const rowsText = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

export function Sizes({ sizes }: { sizes: DatabaseSizes }) {
  return (
    <Section title="Database" note={`Postgres ${sizes.version}, ${sizeText(sizes.bytes)} total`}>
      <div className="rounded-card border border-line bg-surface px-4 py-1">
        <table className="w-full text-table tabular-nums">
          <thead className="text-label text-muted">
            <tr>
              <th scope="col" className="h-8 text-left font-medium">
                Table
              </th>
              <th scope="col" className="h-8 text-right font-medium">
                Rows (estimate)
              </th>
              <th scope="col" className="h-8 text-right font-medium">
                Size with indexes
              </th>
            </tr>
          </thead>
          <tbody>
            {sizes.tables.map(({ name, bytes, rowsEstimate }) => (
              <tr key={name} className="border-line border-t">
                <th scope="row" className="h-8 text-left font-mono font-normal text-mono">
                  {name}
                </th>
                <td className="text-right">{rowsText.format(Number(rowsEstimate))}</td>
                <td className="text-right">{sizeText(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
