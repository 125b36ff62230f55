import type { ReactNode } from "react";
import type { StatementOut } from "@/server/statements/statement-schema";
import { Amount, fractionDigits } from "../../../ui/amount";
import { classNames } from "../../../ui/class-names";
import { ScrollRegion } from "../../../ui/scroll-region";
import { TYPE_LABELS } from "../../batches/status";
import { BESIDES, MOVEMENTS } from "./figures";

interface StatementTableProps {
  statements: readonly StatementOut[];
  /** Such as `1 October 2026`, the first day, and the last day or "so far". */
  opens: string;
  closes: string;
}

export function StatementTable({ statements, opens, closes }: StatementTableProps) {
  const cells = (key: keyof Omit<StatementOut, "pointType">, sign = "") =>
    statements.map((statement) => (
      <td key={statement.pointType} className="px-4 py-2 text-right align-top max-sm:px-3">
        {sign && (statement[key] ?? "0") !== "0" && <span className="mr-0.5 text-muted">{sign}</span>}
        <Amount value={statement[key] ?? "0"} fraction={fractionsOf(statement)} />
      </td>
    ));
  return (
    <ScrollRegion
      aria-label="Statement"
      className="overflow-x-auto rounded-card border border-line bg-surface print:border-0"
    >
      <table className="w-full text-table">
        <thead>
          <tr className="border-line border-b text-label text-muted">
            <th scope="col" className="px-4 py-2 text-left font-medium">
              <span className="sr-only">Figure</span>
            </th>
            {statements.map(({ pointType }) => (
              <th key={pointType} scope="col" className="px-4 py-2 text-right font-medium">
                {TYPE_LABELS[pointType]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row name="Opening balance" hint={opens} isTotal>
            {cells("opening")}
          </Row>
          {MOVEMENTS.filter(
            (row) => !("isRare" in row) || statements.some(({ [row.key]: points }) => points),
          ).map(({ key, name, hint, sign }) => (
            <Row key={key} name={name} hint={hint}>
              {cells(key, sign)}
            </Row>
          ))}
          <Row name="Closing balance" hint={closes} isTotal>
            {cells("closing")}
          </Row>
        </tbody>
        <tbody className="text-muted [&>tr:last-child]:border-b-0">
          {BESIDES.map(({ key, name, hint }) => (
            <Row key={key} name={name} hint={hint}>
              {cells(key)}
            </Row>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

const fractionsOf = ({ pointType: _, ...figures }: StatementOut) => fractionDigits(Object.values(figures));

interface RowProps {
  name: string;
  hint: string;
  isTotal?: boolean;
  children: ReactNode;
}

function Row({ name, hint, isTotal, children }: RowProps) {
  return (
    <tr className={classNames("border-line border-b", isTotal && "font-semibold")}>
      <th scope="row" className={classNames("px-4 py-2 text-left max-sm:px-3", !isTotal && "font-medium")}>
        {name}
        <span className="block font-normal text-label text-muted max-sm:hidden print:block">{hint}</span>
      </th>
      {children}
    </tr>
  );
}
