"use client";
import { Field } from "../../../../ui/field";
import { shortenHash } from "../../../../ui/hash-text";
import { NativeSelect } from "../../../../ui/native-select";
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
        <p role="status" className="rounded-control bg-overdue-ground px-3 py-2 text-overdue text-table">
          {columns.names.length < 2
            ? "Only one column found. Put an address and an amount on each line, separated by a comma, semicolon or tab."
            : "Choose the address column and the amount column."}
        </p>
      )}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {FIELDS.map(([field, label]) => {
          const column = map[field];
          const samples = column === null ? [] : (columns.samples[column] ?? []);
          return (
            <Field
              key={field}
              label={label}
              hint={
                samples.length > 0 ? (
                  <span className="block truncate font-mono">{samples.map(shortenLong).join("  ")}</span>
                ) : undefined
              }
            >
              {(control) => (
                <NativeSelect
                  {...control}
                  value={column ?? ""}
                  onChange={(event) => file.setMap({ [field]: Number(event.target.value) })}
                >
                  {column === null && <option value="">Choose…</option>}
                  {columns.names.map((name, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by position
                    <option key={index} value={index}>
                      {name}
                    </option>
                  ))}
                </NativeSelect>
              )}
            </Field>
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
    <Field
      label="Sheet"
      hint={
        sheet === null ? "The workbook has several sheets. Choose the one with the transfers." : undefined
      }
    >
      {(control) => (
        <NativeSelect
          {...control}
          value={sheet ?? ""}
          onChange={(event) => file.setSheet(Number(event.target.value))}
        >
          {sheet === null && <option value="">Choose…</option>}
          {sheets.map(({ name, isHidden }, index) => (
            <option key={name} value={index}>
              {name}
              {isHidden && " (hidden)"}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}
