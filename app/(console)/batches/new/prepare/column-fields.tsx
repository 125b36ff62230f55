"use client";
import { Banner } from "../../../../ui/banner";
import { shortenHash } from "../../../../ui/hash-text";
import { SelectField } from "./select-field";
import type { FileUse } from "./use-file";

const FIELDS = [
  ["toAddress", "Address column"],
  ["points", "Amount column"],
] as const;

const SAMPLE_CHARS_MAX = 20;
const shortenLong = (sample: string) => (sample.length > SAMPLE_CHARS_MAX ? shortenHash(sample) : sample);

/** Detected automatically; the user can change it. */
export function ColumnFields({ file }: { file: FileUse }) {
  const { loaded, map } = file;
  if (!loaded) return null;
  const { columns, workbook } = loaded;
  if (workbook?.sheet === null) return <SheetField file={file} />;
  const unknown = map.toAddress === null || map.points === null;
  return (
    <div className="flex flex-col gap-3">
      <SheetField file={file} />
      {unknown && (
        <Banner>
          {columns.names.length < 2
            ? "Only one column found. Put an address and an amount on each line, separated by a comma, semicolon, tab or space."
            : "Choose the address column and the amount column."}
        </Banner>
      )}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {FIELDS.map(([field, label]) => {
          const column = map[field];
          const samples = column === null ? [] : (columns.samples[column] ?? []);
          return (
            <SelectField
              key={field}
              label={label}
              hint={
                samples.length > 0 && (
                  <span className="block truncate font-mono">{samples.map(shortenLong).join("  ")}</span>
                )
              }
              chosen={column}
              options={columns.names}
              onChoose={(chosen) => file.setMap({ [field]: chosen })}
            />
          );
        })}
      </div>
      <label className="flex items-center gap-2 self-start text-table">
        <input
          type="checkbox"
          checked={columns.header}
          onChange={(event) => file.setHeader(event.target.checked)}
          className="size-4 accent-accent"
        />
        First row is a header
      </label>
    </div>
  );
}

/** Only for a workbook with several sheets. */
function SheetField({ file }: { file: FileUse }) {
  const { sheets = [], sheet = null } = file.loaded?.workbook ?? {};
  if (sheets.length < 2) return null;
  return (
    <SelectField
      label="Sheet"
      hint={sheet === null && "The workbook has several sheets. Choose the one with the transfers."}
      chosen={sheet}
      options={sheets.map(({ name, isHidden }) => (isHidden ? `${name} (hidden)` : name))}
      onChoose={file.setSheet}
    />
  );
}
