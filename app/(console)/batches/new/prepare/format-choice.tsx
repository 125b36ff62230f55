import { Amount, counted } from "@/app/ui/amount";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { Banner } from "../../../../ui/banner";
import { classNames } from "../../../../ui/class-names";
import { TYPE_LABELS } from "../../status";
import type { AmountReading, Checked } from "../csv/checked";
import type { FileUse } from "./use-file";

interface FormatChoiceProps {
  file: FileUse;
  checked: Checked;
  pointType: PointType;
}

/** How the file writes numbers: `1,234.5` or `1.234,5`. Never guessed. */
export function FormatChoice({ file, checked, pointType }: FormatChoiceProps) {
  const { readings, doubtCount } = checked;
  const { format, pieces } = file.treatment;
  const chosen = doubtCount > 0 && pieces === "ask" ? null : (format ?? checked.chosenFormat);
  const isChosen = (reading: AmountReading) =>
    reading.format === chosen && (doubtCount === 0 || reading.pieces === pieces);
  if (readings.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-label">
        {doubtCount > 0 ? "How to read the amounts" : "Number format of the amounts"}
      </legend>
      {chosen === null && (
        <Banner>
          {doubtCount === 0
            ? "These amounts can be read in more than one way. Choose how they are written."
            : readings.some(({ pieces }) => pieces === "joined")
              ? `${counted(doubtCount, "row has", "rows have")} numbers next to the amount that may be parts of it, like 1,000 without quotes. Compare the totals and choose.`
              : `${counted(doubtCount, "row has", "rows have")} more cells than the table has columns. Choose the amount alone to leave out the others.`}
        </Banner>
      )}
      <div className="flex flex-col gap-1.5">
        {readings.map((reading) => (
          <label
            key={`${reading.pieces} ${reading.format}`}
            className={classNames(
              "flex flex-wrap items-center gap-x-4 gap-y-1 rounded-control border px-3 py-2 text-table has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2",
              readings.length > 1 && "cursor-pointer",
              isChosen(reading) ? "border-accent bg-selected" : "border-line bg-surface",
            )}
          >
            <span className="flex items-center gap-2 font-medium tabular-nums">
              <input
                type="radio"
                name="numberFormat"
                checked={isChosen(reading)}
                onChange={() =>
                  file.treat({
                    format: reading.format,
                    ...(reading.pieces !== "ask" && { pieces: reading.pieces }),
                  })
                }
                className="size-4 accent-accent"
              />
              {LABELS[reading.pieces]}
              {reading.pieces !== "apart" && reading.format}
            </span>
            <Examples reading={reading} />
            <span className="ml-auto text-right text-muted tabular-nums">
              {reading.count < valuesOf(readings) && `${counted(reading.count, "amount", "amounts")}, `}
              total{" "}
              <Amount value={reading.sum} className="whitespace-normal! break-all font-medium text-text" />{" "}
              {TYPE_LABELS[pointType]}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const LABELS = { ask: "", apart: "Amount alone", joined: "One amount, " };

const valuesOf = (readings: readonly AmountReading[]) =>
  Math.max(...readings.map((reading) => reading.count));

/** As in the file, and as the amount will be. */
function Examples({ reading }: { reading: AmountReading }) {
  return (
    <span className="flex min-w-0 flex-wrap gap-x-4 font-mono text-mono">
      {reading.examples.map(({ given, amount }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the file may contain an amount several times
        <span key={index} className="break-all">
          {given === amount ? (
            given
          ) : (
            <>
              {given} <span className="text-muted">is</span> {amount}
            </>
          )}
        </span>
      ))}
    </span>
  );
}
