import type { ReactNode } from "react";
import type { StatementOut } from "@/server/statements/statement-schema";
import { Amount, fractionDigits } from "../../../ui/amount";
import { classNames } from "../../../ui/class-names";
import { ScrollRegion } from "../../../ui/scroll-region";
import { TYPE_LABELS } from "../../batches/status";

interface StatementTableProps {
  statements: readonly StatementOut[];
  /** Hints on when the month opened and closed. */
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

type Figure = Exclude<keyof StatementOut, "pointType">;

/** In the order in which they add up. `sign` precedes the amount. An `isRare` row is shown only if a type has such points. */
const MOVEMENTS = [
  { key: "issued", name: "Issued", hint: "Issued on demand, or granted by staff", sign: "+" },
  {
    key: "received",
    name: "Received",
    hint: "From other contracts, in batches finalized in the month",
    sign: "+",
  },
  {
    key: "takenBack",
    name: "Taken back",
    hint: "From recipients, by the contract's reversals finalized in the month",
    sign: "+",
    isRare: true,
  },
  { key: "sent", name: "Sent", hint: "In batches finalized in the month", sign: "−" },
  {
    key: "givenBack",
    name: "Given back",
    hint: "To other contracts, by their reversals finalized in the month",
    sign: "−",
    isRare: true,
  },
] as const satisfies readonly { key: Figure; name: string; hint: string; sign: string; isRare?: true }[];

/** These change no balance. */
const BESIDES = [
  {
    key: "pending",
    name: "Pending",
    hint: "Part of the closing balance, reserved by batches that were neither finalized nor cancelled by then",
  },
  {
    key: "cancelled",
    name: "Cancelled",
    hint: "In batches cancelled in the month. The points stayed with the contract",
  },
] as const satisfies readonly { key: Figure; name: string; hint: string }[];
