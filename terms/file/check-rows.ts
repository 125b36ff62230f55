import { addressError, addressKey } from "@/terms/address-text";
import { unitOfType } from "@/terms/batch-terms";
import { csvLine } from "@/terms/csv-text";
import { counted, formatAmount } from "@/terms/output-text";
import { formatPoints, isPoints, parsePoints } from "@/terms/points";
import { referenceRule, refusedAddress } from "@/terms/row-rules";
import type {
  Checked,
  CheckedRows,
  CheckOptions,
  ColumnChoices,
  FileError,
  FixCount,
  TotalRow,
} from "./checked";
import { findCuts } from "./cut-amounts";
import type { Table, TableRow } from "./decode-file";
import { amountDoubts, columnNotes, referenceNotes, rowDoubts, tableNotes, tokenNotes } from "./file-notes";
import { listed, shortened } from "./file-words";
import {
  type ColumnFormat,
  detectFormat,
  EXAMPLES_SHOWN,
  type NumberFormat,
  readAmount,
} from "./number-format";
import {
  type ColumnMap,
  type Columns,
  type KnownMap,
  looksLikeAddress,
  type PaidField,
} from "./rank-columns";
import {
  areNoisy,
  CUT_MESSAGE,
  cellsMessage,
  DOUBT_MESSAGES,
  ERROR_MESSAGES,
  FIX_KINDS,
  type Fix,
  type FixKind,
  fixAddress,
  fixMessage,
  fixNoise,
  fixPoints,
  lossText,
  lossUnits,
  type TransferCode,
} from "./row-errors";
import { splitParts } from "./split-parts";
import { findTypeColumn, type TypeColumn } from "./type-column";

/** About 10 ms of work, most of which is the checksums of the addresses. */
const ROWS_PER_STEP = 500;

export const transferRows = (table: Table, { header }: Columns): TableRow[] =>
  table.rows.slice(header ? 1 : 0);

/** How the amounts are written, without a total that would count them twice. */
function formatOf(table: Table, rows: readonly TableRow[], points: number): ColumnFormat {
  const texts: string[] = [];
  const numbers: string[] = [];
  for (const { cells, numbers: exact } of rows) {
    const cell = cells[points];
    if (cell) (exact?.includes(points) ? numbers : texts).push(cell);
  }
  const format = detectFormat(texts, numbers);
  if (format.detected !== null) return format;
  const { readings } = format;
  // A program that writes JSON has no other decimal mark, unless some amount has a comma.
  if (table.isExact && table.delimiter === null && !texts.some((text) => text.includes(",")))
    return { ...format, detected: "1,234.56", readings: readings.filter((of) => of.format === "1,234.56") };
  // Where the comma marks decimals, spreadsheets separate cells by semicolons.
  const isComma = table.delimiter === ";" && readings[0]?.count === readings[1]?.count;
  return isComma ? { ...format, readings: readings.toReversed() } : format;
}

/** An amount is shown with a decimal point, which may look like another one than what the file has. */
function formatNotes(ambiguous: string | null, format: NumberFormat | null): string[] {
  if (ambiguous === null || format?.at(-3) !== ",") return [];
  const amount = readAmount(ambiguous, format);
  return amount === null
    ? []
    : [`The amounts are read with a decimal comma: “${ambiguous}” is ${formatAmount(amount)}.`];
}

/** What could be meant, of the columns that the user has to choose. */
export function columnChoices(table: Table, columns: Columns, map: ColumnMap = columns.map): ColumnChoices {
  const rows = transferRows(table, columns);
  const totalsOf = (points: number) => {
    const { toAddress } = map;
    const own = toAddress === null ? rows : withoutTotal(rows, { ...map, toAddress, points });
    const { detected, readings } = formatOf(table, own, points);
    // One total, where the amounts say how they are written.
    const used = readings.slice(0, detected === null ? undefined : 1).filter(({ count }) => count > 0);
    const filled = own.filter(({ cells }) => cells[points]).length;
    return { totals: used.map(({ sum }) => sum), uncounted: filled - (used[0]?.count ?? 0) };
  };
  const choicesOf = (field: PaidField) =>
    map[field] !== null
      ? []
      : columns.candidates[field].slice(0, CHOICES_MAX).map((column) => ({
          column,
          name: columns.names[column]!,
          samples: columns.samples[column]!,
          ...(field === "points" ? totalsOf(column) : { totals: [], uncounted: 0 }),
        }));
  return { toAddress: choicesOf("toAddress"), points: choicesOf("points") };
}

const CHOICES_MAX = 20;

/**
 * Checks every row with the server's own rules, then splits the transfers into the parts in which they will
 * be submitted. The file is one list: a duplicate counts in whichever parts its rows are. Yields the number
 * of rows done, so that the caller can pause or stop.
 */
export function* checkRows(table: Table, options: CheckOptions): Generator<number, CheckedRows, void> {
  const { treatment, columns } = options;
  const { points } = columns.map;
  const { rows, cut, beyond } = findCuts(transferRows(table, columns), table, columns);
  const transfers = withoutTotal(rows, columns.map);
  const whole = transfers.filter((_, place) => !cut.has(place));
  const { detected, readings, ambiguous, isByFew } = formatOf(table, whole, points);
  const chosenFormat = treatment.format ?? detected;
  const checking = new Checking(rows, cut, table, options, chosenFormat ?? "1,234.56");
  for (let row = 0; row < rows.length && chosenFormat !== null; row++) {
    if (row % ROWS_PER_STEP === 0) yield row;
    checking.checkRow(row);
  }
  const result = checking.result();
  const commaNotes = formatNotes(ambiguous, chosenFormat);
  const isInDoubt = isByFew && treatment.format === null;
  const doubts = [
    ...(table.doubts ?? []),
    ...(isInDoubt ? commaNotes : []),
    ...tokenNotes(columns, transfers, false),
    ...amountDoubts(table, columns, transfers),
    ...rowDoubts(columns, transfers),
    ...checking.doubts,
    ...checking.noiseNotes(result.points),
  ];
  const beyondNote =
    `${counted(beyond.length, "row has", "rows have")} more cells than the heading or the first row. ` +
    `These are not read: ${listed(beyond, EXAMPLES_SHOWN)}.`;
  return {
    ...result,
    rowCount: rows.length,
    readings,
    chosenFormat,
    questions: chosenFormat === null ? ["format"] : [],
    paidAlready: null,
    doubts,
    notes: [
      ...columnNotes(columns, table),
      ...tableNotes(table, points),
      ...(isInDoubt ? [] : commaNotes),
      ...referenceNotes(columns, transfers),
      ...tokenNotes(columns, transfers, true),
      ...doubts,
      ...(beyond.length > 0 ? [beyondNote] : []),
    ],
  };
}

/** Of a value in a list of errors. */
const VALUE_CHARS_MAX = 500;

interface Kept {
  toAddress: string;
  units: bigint;
  row: TableRow;
  reference: string;
}

interface ErrorDetails {
  /** The cell's by default. */
  value?: string;
  /** Of the first row with the same destination or reference. */
  firstLine?: number;
  fix?: Fix | null;
  message?: string;
}

const CODES = { toAddress: "invalid_address", points: "invalid_points", reference: "invalid_value" } as const;

class Checking {
  readonly #errors: FileError[] = [];
  /** In the order of the file. */
  readonly #kept: Kept[] = [];
  /** The first row of each address, and which references its rows have. */
  readonly #firstOf = new Map<string, Kept>();
  readonly #references = new Set<string>();
  readonly #checkReference: ReturnType<typeof referenceRule>;
  readonly #fixes = new Map<FixKind, Omit<FixCount, "loss"> & { loss: bigint }>();
  #duplicateCount = 0;
  readonly #isNoisy: boolean;
  /** The first amount that ends in binary rounding noise. */
  #noise = "";
  /** Rows with less than the minimum, with their sum. */
  readonly #below = { count: 0, units: 0n, leftOut: [] as number[] };
  /** Sum of every amount so far, also of rows with errors. */
  #above = 0n;
  #total: TotalRow | null = null;
  readonly doubts: string[] = [];
  readonly #types: TypeColumn;
  readonly #least: bigint;
  readonly #contract: string;

  constructor(
    readonly rows: readonly TableRow[],
    readonly cut: ReadonlyMap<number, string>,
    readonly table: Table,
    readonly options: CheckOptions,
    readonly format: NumberFormat,
  ) {
    const { columns, limits, pointType, contractAddress } = options;
    this.#types = findTypeColumn(rows, columns);
    this.#least = parsePoints(limits.minimumPoints[pointType]);
    this.#contract = addressKey(contractAddress);
    this.#checkReference = referenceRule(({ row, code, firstRow = row }) =>
      this.#add(rows[row]!, "reference", code as TransferCode, { firstLine: rows[firstRow]!.line }),
    );
    this.#isNoisy = areNoisy(rows.map((row) => this.#cell(row, "points")));
  }

  checkRow(at: number): void {
    const { treatment } = this.options;
    const row = this.rows[at]!;
    if (at > 0 && at === this.rows.length - 1) this.#total = this.#findTotal(row);
    if ((this.#total && treatment.leaveOutTotal) || this.#isOdd(row, at)) return;
    const { given, points, fix, noise, units } = this.#readAmount(row);
    const isBelow = units !== null && units < this.#least;
    // After one or two rows, it may be their sum by chance.
    if (at > 2 && at === this.rows.length - 1 && !this.#total && units === this.#above)
      this.doubts.push(`Line ${row.line}, the last one, would be paid as much as all others together.`);
    this.#above += units ?? 0n;
    const isLeftOut = isBelow && treatment.belowMinimum === "leave-out";
    if (isLeftOut) this.#below.leftOut.push(row.line);
    const toAddress = isLeftOut ? null : this.#checkAddress(row);
    const first = toAddress === null ? undefined : this.#duplicated(row, toAddress);
    if (first && treatment.duplicates === "keep-first") return;
    if (isBelow) {
      this.#below.count++;
      this.#below.units += units;
    }
    if (isLeftOut) return;
    if (fix) this.#applies(row, given, fix);
    if (given === "") this.#add(row, "points", "required");
    else if (points === null) this.#add(row, "points", "invalid_points", { fix });
    else if (noise && !this.#applies(row, given, noise))
      this.#noise ||= `${points} is probably ${noise.value}`;
    if (isBelow) this.#add(row, "points", "points_below_minimum");
    const reference = this.#cell(row, "reference");
    // With a spreadsheet's mark, it is another one and paid again.
    if (reference.startsWith("'") && !this.table.isExact) this.#add(row, "reference", "invalid_value");
    else if (reference) this.#checkReference(at, reference);
    if (toAddress === null) return;
    const kept = { toAddress, units: units ?? 0n, row, reference };
    if (first && treatment.duplicates === "add-up") this.#addUp(first, kept);
    if (first) return;
    const key = addressKey(toAddress);
    this.#kept.push(kept);
    if (!this.#firstOf.has(key)) this.#firstOf.set(key, kept);
    if (reference) this.#references.add(`${key} ${reference}`);
  }

  /** Reports a row of which no cell can be read as what it should be. */
  #isOdd(row: TableRow, at: number): boolean {
    const { columns, pointType } = this.options;
    const { cells, doubts } = row;
    const errorCount = this.#errors.length;
    const width = this.table.delimiter === null ? cells.length : columns.names.length;
    const refusal = this.#types?.refusalOf(row, pointType);
    const cut = this.cut.get(at);
    if (cut !== undefined) this.#add(row, "points", "invalid_points", { value: cut, message: CUT_MESSAGE });
    else if (cells.length > width) {
      const value = cells.join(this.table.delimiter ?? " ");
      this.#report(row, "", value, "cells_do_not_fit", cellsMessage(cells.length, width));
    } else if (this.#types && refusal) {
      const { column } = this.#types;
      this.#report(row, columns.names[column]!, cells[column]!, "other_type", refusal);
    } else {
      for (const field of ["toAddress", "points", "reference"] as const) {
        const doubt = doubts?.[columns.map[field] ?? -1];
        // A reference is taken as it is stored.
        if (!doubt || (doubt === "digits" && field !== "points")) continue;
        this.#add(row, field, CODES[field], { message: DOUBT_MESSAGES[doubt] });
      }
    }
    return this.#errors.length > errorCount;
  }

  /** The first row of its address, unless the references say that the two pay for different things. */
  #duplicated(row: TableRow, toAddress: string): Kept | undefined {
    const key = addressKey(toAddress);
    const first = this.#firstOf.get(key);
    const reference = this.#cell(row, "reference");
    if (!first?.reference || !reference) return first;
    return this.#references.has(`${key} ${reference}`) ? first : undefined;
  }

  result() {
    const { transfersMax } = this.options.limits;
    const badLines = new Set(this.#errors.map(({ line }) => line));
    const kept = this.#kept.filter(({ row }) => !badLines.has(row.line));
    const parts = splitParts(kept, transfersMax).map((rows) => ({
      rows,
      units: rows.reduce((sum, { units }) => sum + units, 0n),
    }));
    const { count, units, leftOut } = this.#below;
    return {
      errors: this.#errors,
      badRows: badLines.size,
      points: formatPoints(parts.reduce((sum, { units }) => sum + units, 0n)),
      transferCount: kept.length,
      parts: parts.map(({ rows, units }) => ({ count: rows.length, points: formatPoints(units) })),
      fixes: FIX_KINDS.flatMap((kind) => this.#fixes.get(kind) ?? []).map(({ loss, ...fix }) => ({
        ...fix,
        loss: lossText(loss),
      })),
      duplicateCount: this.#duplicateCount,
      below: { count, points: formatPoints(units), leftOut },
      total: this.#total,
      transfers: parts.flatMap(({ rows }) =>
        rows.map(({ toAddress, units, reference }) => ({
          toAddress,
          points: formatPoints(units),
          ...(reference && { reference }),
        })),
      ),
    };
  }

  /** With both totals. Rows with errors are not paid, and the fix is among what they propose. */
  noiseNotes(points: string): string[] {
    if (this.#noise === "" || this.#errors.length > 0) return [];
    const { count, loss } = this.#fixes.get("decimals")!;
    return [
      `${counted(count, "amount ends", "amounts end")} in binary rounding noise: ${this.#noise}. ` +
        `As written, the total is ${points}. ` +
        `With these decimals rounded, the total is ${lossText(lossUnits(points) - loss)}.`,
    ];
  }

  #cell({ cells }: TableRow, field: keyof ColumnMap): string {
    const column = this.options.columns.map[field];
    return (column !== null && cells[column]) || "";
  }

  /** With the fixes that apply; no units for an amount that cannot be read. */
  #readAmount(row: TableRow) {
    const { treatment, columns } = this.options;
    const given = this.#cell(row, "points");
    const isNumber = row.numbers?.includes(columns.map.points);
    const read = isNumber ? (isPoints(given) ? given : null) : readAmount(given, this.format);
    const fix = read === null ? fixPoints(given, treatment.format, this.#isNoisy) : null;
    const points = read ?? (fix && treatment.fixes.includes(fix.kind) ? fix.value : null);
    const noise = this.#isNoisy && points !== null ? fixNoise(points) : null;
    const amount = noise && treatment.fixes.includes(noise.kind) ? noise.value : points;
    return { given, points, fix, noise, units: amount === null ? null : parsePoints(amount) };
  }

  /** @returns the address, also of a duplicate; null when it is invalid */
  #checkAddress(row: TableRow): string | null {
    const { limits, treatment } = this.options;
    const given = this.#cell(row, "toAddress");
    if (given === "") return this.#add(row, "toAddress", "required");
    const error = addressError(given);
    const fix = error && fixAddress(given);
    if (error && !(fix && this.#applies(row, given, fix))) return this.#add(row, "toAddress", error, { fix });
    const toAddress = fix?.value ?? given;
    const first = this.#duplicated(row, toAddress);
    const refused = refusedAddress(addressKey(toAddress), this.#contract, limits.zeroAddressAllowed);
    if (first) this.#duplicateCount++;
    if (first && treatment.duplicates === "refuse")
      this.#add(row, "toAddress", "duplicate_destination", { firstLine: first.row.line });
    else if (!first && refused) this.#add(row, "toAddress", refused);
    return toAddress;
  }

  #applies({ line }: TableRow, given: string, { kind, value, names, loss = 0n }: Fix): boolean {
    const first = { line, given: shortened(given, VALUE_CHARS_MAX), value };
    const of = this.#fixes.get(kind) ?? { kind, count: 0, names: new Map<string, number>(), first, loss: 0n };
    this.#fixes.set(kind, of);
    of.count++;
    of.loss += loss;
    for (const name of names) of.names.set(name, (of.names.get(name) ?? 0) + 1);
    return this.options.treatment.fixes.includes(kind);
  }

  #addUp(first: Kept, { row, units, reference }: Kept): void {
    if (first.reference || reference) {
      this.#add(row, "reference", "duplicate_destination", { firstLine: first.row.line });
      return;
    }
    first.units += units;
    const value = formatPoints(first.units);
    if (!isPoints(value)) this.#add(row, "points", "invalid_points", { value });
  }

  #findTotal(row: TableRow): TotalRow | null {
    const likely = mayBeTotal(row, this.options.columns.map);
    const { units } = likely ? this.#readAmount(row) : { units: null };
    if (likely !== "named" && !(likely === "unnamed" && units === this.#above)) return null;
    const points = units === null ? null : formatPoints(units);
    return { line: row.line, points, above: formatPoints(this.#above) };
  }

  /** Reports an error of a field. @returns null, as its value cannot be used */
  #add(row: TableRow, field: keyof ColumnMap, code: TransferCode, details: ErrorDetails = {}): null {
    const { value = this.#cell(row, field), firstLine = row.line, fix } = details;
    const { columns, pointType, limits } = this.options;
    const least = `${limits.minimumPoints[pointType]} ${unitOfType(pointType)}`;
    const facts = { field, value, least, firstLine };
    const message = details.message ?? (fix ? fixMessage(fix) : ERROR_MESSAGES[code](facts));
    this.#report(row, columns.names[columns.map[field] ?? -1] ?? "", value, code, message);
    return null;
  }

  #report({ line }: TableRow, column: string, value: string, code: FileError["code"], message: string): void {
    this.#errors.push({ line, column, value: shortened(value, VALUE_CHARS_MAX), code, message });
  }
}

const TOTAL_NAME =
  /^(?:(?:(?:grand |sub)?total(?:s|e)?|sum|summe|somme|suma|totaal|soma)\b|gesamt|итог|всего|合计|总计|合計)/i;

/** "named" for a row called a total, "unnamed" for one with only an amount; null when it has an address. */
function mayBeTotal({ cells }: TableRow, { toAddress, points }: KnownMap) {
  const address = cells[toAddress] ?? "";
  if (looksLikeAddress(address) || /^0x/i.test(address)) return null;
  if (cells.some((cell) => TOTAL_NAME.test(cell))) return "named";
  return address === "" && cells.every((cell, column) => column === points || cell === "") ? "unnamed" : null;
}

/** Without a last row that may be the sum of the others. */
const withoutTotal = (rows: readonly TableRow[], map: KnownMap) =>
  rows.length > 1 && mayBeTotal(rows.at(-1)!, map) !== null ? rows.slice(0, -1) : rows;

/** Only the rows with errors or left out, as they were read, each with its line number and every reason. */
export function badRowsCsv(table: Table, columns: Columns, { errors, below }: Checked): string {
  const reasons = new Map(below.leftOut.map((line) => [line, ["Left out: below the minimum."]]));
  for (const { line, column, message } of errors)
    reasons.set(line, [...(reasons.get(line) ?? []), column ? `${column}: ${message}` : message]);
  let text = csvLine([...columns.names, "line", "reason"]);
  for (const { line, cells } of table.rows) {
    const why = reasons.get(line);
    if (!why) continue;
    const padded = columns.names.map((_, column) => cells[column] ?? "");
    text += csvLine([...padded, ...cells.slice(columns.names.length), String(line), why.join(" ")]);
  }
  return text;
}
