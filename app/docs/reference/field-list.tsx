import type { FieldRow } from "../document/schema-rows";
import { InlineText } from "../inline-text";

interface FieldListProps {
  title?: string;
  rows: (FieldRow & { in?: string })[];
  /** Marks required fields; pointless for responses. */
  isInput?: boolean;
}

export function FieldList({ title, rows, isInput = false }: FieldListProps) {
  if (rows.length === 0) return null;
  return (
    <table className="w-full border-line border-b text-left text-table">
      {title && <caption className="pb-2 text-left font-semibold text-body">{title}</caption>}
      <thead className="sr-only">
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <tr
            key={`${row.in}${row.prefix}${row.name}`}
            className="border-line border-t align-top max-sm:block max-sm:py-2"
          >
            <th scope="row" className="py-2 pr-4 font-normal max-sm:block max-sm:py-0 sm:w-56">
              <span className="wrap-anywhere font-mono text-mono">
                <span className="text-muted">{row.prefix}</span>
                <span className="font-medium">{row.name}</span>
              </span>
              <span className="block text-label text-muted">
                {row.type}
                {row.in && ` · ${row.in}`}
                {isInput && row.required && <span className="text-danger"> · required</span>}
              </span>
            </th>
            <td className="py-2 max-sm:block max-sm:py-0">
              {row.description && (
                <p>
                  <InlineText text={row.description} />
                </p>
              )}
              {row.facts.length > 0 && (
                <p className="text-label/5 text-muted">
                  {row.facts.map((fact, index) => (
                    <span key={fact}>
                      {index > 0 && " · "}
                      <InlineText text={fact} />
                    </span>
                  ))}
                </p>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
