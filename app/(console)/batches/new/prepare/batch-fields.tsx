import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/app/ui/button";
import { CheckBox, Choices, Field, Input, NativeSelect } from "@/app/ui/fields";
import { shortenHash } from "@/app/ui/hash-text";
import { Banner } from "@/app/ui/states";
import { isMetadataKey, METADATA_KEYS_MAX, METADATA_VALUE_PATTERN } from "@/terms/batch-terms";
import { noColumn, ONE_COLUMN, printable, totalWords } from "@/terms/file/file-words";
import type { PaidField } from "@/terms/file/rank-columns";
import type { FileUse } from "./use-file";

/** As in `payout.001`. */
const PART_DIGITS = 3;
export const PARTS_MAX = 999;
const ID_CHARS_MAX = 64;

/** As the typed client names the parts of a list (planPayout). `part` is counted from 0. */
export const partId = (payoutId: string, part: number): string =>
  `${payoutId}.${String(part + 1).padStart(PART_DIGITS, "0")}`;

/** File name and day, reduced to the characters that a batch ID may have. */
export function proposeId(fileName: string, day: string): string {
  const name = fileName
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9._~-]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  const room = ID_CHARS_MAX - 1 - PART_DIGITS - 1 - day.length;
  return `${name.slice(0, room) || "payout"}-${day}`;
}

/** @param isBatch whether it is the ID of a single batch, and not of a payout with numbered batches */
export function idError(idPrefix: string, isBatch: boolean): string | null {
  if (idPrefix === "") return "Enter an ID.";
  if (!/^[A-Za-z0-9._:~-]+$/.test(idPrefix)) return "Use only letters, digits and . _ : ~ -";
  if (/^\.{1,2}$/.test(idPrefix)) return "Use more than dots.";
  const longest = ID_CHARS_MAX - (isBatch ? 0 : 1 + PART_DIGITS);
  return idPrefix.length > longest ? `Use up to ${longest} characters.` : null;
}

interface SelectFieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  name?: string;
  /** Null until the user chooses an option. */
  chosen: number | null;
  options: readonly string[];
  onChoose: (option: number) => void;
}

export function SelectField({ label, hint, error, name, chosen, options, onChoose }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <NativeSelect
          {...control}
          name={name}
          value={chosen ?? ""}
          onChange={(event) => onChoose(Number(event.target.value))}
        >
          {chosen === null && <option value="">Choose…</option>}
          {options.map((option, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: options are identified by their place
            <option key={index} value={index}>
              {option}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

export function idHint(idPrefix: string, partCount: number, isBatch: boolean): string {
  const same = "Submitting the same rows under the same ID again has no effect.";
  if (isBatch) return same;
  const [first, last] = [0, partCount - 1].map((part) => partId(idPrefix, part));
  const which = partCount === 1 ? `batch will be ${first}` : `batches will be ${first} to ${last}`;
  return `Its ${which}. ${same}`;
}

export type MetadataRow = readonly [key: string, value: string];

/** What is wrong with a row; null for an empty one, which is left out. */
export function metadataRowError(rows: readonly MetadataRow[], at: number): string | null {
  const [key, value] = rows[at]!;
  if (!key && !value) return null;
  if (!isMetadataKey(key)) return "Use 1 to 40 letters, digits or any of _ . - as the key.";
  if (rows.findIndex(([other]) => other === key) < at) return `Use the key ${key} once.`;
  return METADATA_VALUE_PATTERN.test(value) ? null : "Enter a value of up to 200 characters.";
}

interface MetadataFieldsProps {
  rows: readonly MetadataRow[];
  onChange: (rows: readonly MetadataRow[]) => void;
}

export function MetadataFields({ rows, onChange }: MetadataFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      {rows.length > 0 && <legend className="mb-1.5 font-medium text-label">Metadata</legend>}
      {rows.map(([key, value], at) => {
        const error = metadataRowError(rows, at);
        const errorId = `metadata-${at}`;
        const described = { "aria-invalid": error !== null, "aria-describedby": error ? errorId : undefined };
        const set = (row: MetadataRow) => onChange(rows.with(at, row));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their place
          <div key={at} className="grid grid-cols-[2fr_3fr_auto] gap-2">
            <Input
              {...described}
              aria-label={`Key ${at + 1}`}
              placeholder="campaign"
              value={key}
              onChange={(event) => set([event.target.value.trim(), value])}
            />
            <Input
              {...described}
              aria-label={`Value ${at + 1}`}
              placeholder="summer"
              value={value}
              onChange={(event) => set([key, event.target.value])}
            />
            <Button
              variant="ghost"
              icon={X}
              aria-label={`Remove metadata ${at + 1}`}
              onClick={() => onChange(rows.toSpliced(at, 1))}
            />
            {error && (
              <p id={errorId} className="col-span-3 text-danger text-label">
                {error}
              </p>
            )}
          </div>
        );
      })}
      {rows.length < METADATA_KEYS_MAX && (
        <Button size="small" icon={Plus} className="self-start" onClick={() => onChange([...rows, ["", ""]])}>
          Add metadata
        </Button>
      )}
    </fieldset>
  );
}

const FIELDS = [
  ["toAddress", "Address column", []],
  ["points", "Amount column", []],
  ["reference", "Reference column", ["None"]],
] as const;
/** An address and an amount leave no column for anything else. */
const COLUMNS_WITH_REFERENCE = 3;

const SAMPLE_CHARS_MAX = 20;
const shortenLong = (sample: string) => (sample.length > SAMPLE_CHARS_MAX ? shortenHash(sample) : sample);

export function ColumnFields({ file }: { file: FileUse }) {
  const { loaded, map } = file;
  if (!loaded) return null;
  const { columns, workbook } = loaded;
  if (workbook?.sheet === null) return <SheetField file={file} />;
  const missing = [map.toAddress === null && "address", map.points === null && "amount"].filter(Boolean);
  const unknown = missing.length > 0;
  const isNone = (field: PaidField) => map[field] === null && columns.candidates[field].length === 0;
  const none = (["toAddress", "points"] as const).find(isNone);
  return (
    <div className="flex flex-col gap-3">
      <SheetField file={file} />
      {unknown && (
        <Banner>
          {columns.names.length < 2
            ? ONE_COLUMN
            : none
              ? noColumn(none, columns)
              : `Choose ${missing.map((what) => `the ${what} column`).join(" and ")}.`}
        </Banner>
      )}
      {unknown && <ColumnChoice file={file} field="toAddress" legend="Columns of addresses" />}
      {unknown && <ColumnChoice file={file} field="points" legend="Columns of numbers" />}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {FIELDS.map(([field, label, none]) => {
          const column = map[field];
          const samples = column === null ? [] : (columns.samples[column] ?? []);
          const isOptional = none.length > 0;
          if (isOptional && columns.names.length < COLUMNS_WITH_REFERENCE) return null;
          return (
            <SelectField
              key={field}
              label={label}
              hint={
                samples.length > 0 ? (
                  <span className="block truncate font-mono">{samples.map(shortenLong).join("  ")}</span>
                ) : (
                  isOptional &&
                  "What each row pays for, such as an order. A contract pays each reference once."
                )
              }
              chosen={column === null && !isOptional ? null : (column ?? -1) + none.length}
              options={[...none, ...columns.names]}
              onChoose={(chosen) => file.setMap(field, chosen < none.length ? null : chosen - none.length)}
            />
          );
        })}
      </div>
      <CheckBox checked={columns.header} onChange={(event) => file.setHeader(event.target.checked)}>
        First row is a header
      </CheckBox>
    </div>
  );
}

/** What could be meant, to compare. */
function ColumnChoice({ file, field, legend }: { file: FileUse; field: PaidField; legend: string }) {
  const choices = file.choices?.[field] ?? [];
  if (choices.length === 0) return null;
  return (
    <Choices
      legend={legend}
      name={`${field}Choice`}
      options={choices.map((choice) => ({
        value: String(choice.column),
        label: <span className="break-all">{`${choice.name} (column ${choice.column + 1})`}</span>,
        hint: (
          <>
            <span className="break-all font-mono">{choice.samples.map(shortenLong).join("  ")}</span>
            {field === "points" && <> · total {totalWords(choice)}</>}
          </>
        ),
      }))}
      chosen={[]}
      onChoose={(column) => file.setMap(field, Number(column))}
    />
  );
}

function SheetField({ file }: { file: FileUse }) {
  const { sheets = [], sheet = null } = file.loaded?.workbook ?? {};
  if (sheets.length < 2) return null;
  return (
    <SelectField
      label="Sheet"
      hint={sheet === null && "The workbook has several sheets. Choose the one with the transfers."}
      chosen={sheet}
      options={sheets.map(({ name, isHidden }) => `${printable(name)}${isHidden ? " (hidden)" : ""}`)}
      onChoose={file.setSheet}
    />
  );
}
