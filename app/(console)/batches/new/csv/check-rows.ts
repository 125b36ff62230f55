import { csvLine } from "@/app/data/csv";
import { type RowError, rowRules } from "@/server/batches/submit/row-rules";
import { addressError, addressKey } from "@/server/kernel/values/address-text";
import { formatPoints, isPoints, parsePoints } from "@/server/kernel/values/points";
import type { AmountReading, Checked, CheckedRows, CheckOptions, FileError, FixCount, Part } from "./checked";
import type { Table, TableRow } from "./decode-file";
import { type Columns, type Doubt, findDoubt, mayBeTotal, type TotalRow } from "./map-columns";
import { type ColumnFormat, detectFormat, type NumberFormat, readAmount } from "./number-format";
import {
  cellsMessage,
  errorMessage,
  FIX_KINDS,
  type Fix,
  type FixKind,
  fixAddress,
  fixMessage,
  fixPoints,
  sumOfLosses,
  type TransferCode,
} from "./row-errors";

const ADDRESS_CHARS = 42;

export const transferRows = (table: Table, { header }: Columns): TableRow[] =>
  table.rows.slice(header ? 1 : 0);

/** How the amounts are written, without a total that would count them twice. */
function formatOf(rows: readonly TableRow[], points: number): ColumnFormat {
  const texts: string[] = [];
  const numbers: string[] = [];
  for (const { cells, numbers: exact } of rows) {
    const cell = cells[points];
    if (cell) (exact?.includes(points) ? numbers : texts).push(cell);
  }
  return detectFormat(texts, numbers);
}

/**
 * Checks every row with the server's own rules, then splits the transfers into the parts in which they will be submitted.
 * The file is one list: a duplicate counts in whichever parts its rows are.
 */
export function checkRows(table: Table, options: CheckOptions): CheckedRows {
  const { treatment, columns } = options;
  const all = transferRows(table, columns);
  const hiddenCount = all.filter(({ hidden }) => hidden).length;
  const visible = treatment.hiddenRows === "leave-out" ? all.filter(({ hidden }) => !hidden) : all;
  const doubt = findDoubt(visible, table, columns);
  const { pieces } = treatment;
  const isAsked = doubt !== null && (pieces === "ask" || doubt[pieces] === null);
  const rows = (isAsked || !doubt ? null : doubt[pieces as "apart" | "joined"]) ?? visible;
  const last = rows.at(-1);
  const hasTotal = last !== undefined && rows.length > 1 && mayBeTotal(last, columns.map) !== null;
  const counted = hasTotal ? rows.slice(0, -1) : rows;
  const format = formatOf(counted, columns.map.points);
  const readings: AmountReading[] = doubt
    ? doubtReadings(doubt, counted.length, columns.map.points)
    : format.readings.map((reading) => ({ ...reading, pieces: "ask" }));
  const chosenFormat = isAsked ? null : (treatment.format ?? format.detected);
  const checking = new Checking(rows, table, options, chosenFormat ?? "1,234.56");
  const questions: Checked["questions"] = [];
  if (chosenFormat === null) questions.push("format");
  if (hiddenCount > 0 && treatment.hiddenRows === "ask") questions.push("hidden-rows");
  if (questions.length === 0) for (let row = 0; row < rows.length; row++) checking.checkRow(row);
  const doubtCount = doubt?.texts.size ?? 0;
  return {
    ...checking.result(),
    rowCount: rows.length,
    readings,
    chosenFormat,
    doubtCount,
    hiddenCount,
    questions,
  };
}

const EXAMPLES_SHOWN = 3;

function doubtReadings({ apart, joined, texts }: Doubt, count: number, points: number): AmountReading[] {
  const readingsOf = (pieces: "apart" | "joined", rows: readonly TableRow[]) =>
    formatOf(rows.slice(0, count), points).readings.map((reading) => {
      const examples = [...texts].flatMap(([place, given]) => {
        const amount = readAmount(rows[place]?.cells[points] ?? "", reading.format);
        return amount === null ? [] : [{ given, amount }];
      });
      return { ...reading, pieces, examples: examples.slice(0, EXAMPLES_SHOWN) };
    });
  return [...readingsOf("apart", apart), ...(joined ? readingsOf("joined", joined) : [])];
}

interface Kept {
  toAddress: string;
  units: bigint;
  line: number;
}

class Checking {
  readonly #errors: FileError[] = [];
  readonly #badLines = new Set<number>();
  /** By address, in the order of the file. */
  readonly #kept = new Map<string, Kept>();
  readonly #rules: ReturnType<typeof rowRules>;
  readonly #fixes = new Map<FixKind, { count: number; names: Map<string, number>; losses: string[] }>();
  #duplicateCount = 0;
  /** Whether the rules rejected the address of the current row, so that no other row is its duplicate. */
  #isInvalid = false;
  /** Sum of every amount so far, also of rows with errors. */
  #above = 0n;
  #total: TotalRow | null = null;

  constructor(
    readonly rows: readonly TableRow[],
    readonly table: Table,
    readonly options: CheckOptions,
    readonly format: NumberFormat,
  ) {
    const { contractAddress, pointType, limits } = options;
    const report = ({ row, field, code, firstRow }: RowError) => {
      this.#isInvalid ||= code === "invalid_address" || code === "invalid_checksum";
      // A checksum of another chain may have a fix.
      if (code === "invalid_checksum") return;
      if (code === "duplicate_destination") this.#duplicateCount++;
      this.#add(row, field, this.#cell(row, field), code as TransferCode, { firstRow });
    };
    this.#rules = rowRules({ contractAddress, pointType, limits, report });
  }

  checkRow(row: number): void {
    const { columns, treatment } = this.options;
    const { line, cells } = this.rows[row]!;
    if (row > 0 && row === this.rows.length - 1) {
      this.#total = this.#findTotal(this.rows[row]!);
      if (this.#total && treatment.leaveOutTotal) return;
    }
    const width = this.table.delimiter === null ? cells.length : columns.names.length;
    if (cells.length > width) {
      const message = cellsMessage(cells.length, width);
      const value = cells.join(this.table.delimiter ?? " ");
      this.#errors.push({ line, column: "", value, code: "cells_do_not_fit", message });
      this.#badLines.add(line);
      return;
    }
    const address = this.#checkAddress(row);
    const isLeftOut = address?.first !== undefined && treatment.duplicates === "keep-first";
    const points = isLeftOut ? this.#amountOf(row) : this.#checkPoints(row);
    const units = points === null ? 0n : parsePoints(points);
    this.#above += units;
    if (isLeftOut || address === null) return;
    const { toAddress, first } = address;
    if (first === undefined) this.#kept.set(addressKey(toAddress), { toAddress, units, line });
    else if (treatment.duplicates === "add-up") this.#addUp(first, row, units);
  }

  result() {
    const { transfersMax } = this.options.limits;
    const kept = [...this.#kept.values()].filter(({ line }) => !this.#badLines.has(line));
    const parts: Part[] = [];
    let total = 0n;
    for (let start = 0; start < kept.length; start += transfersMax) {
      const part = kept.slice(start, start + transfersMax);
      const sum = part.reduce((units, of) => units + of.units, 0n);
      total += sum;
      parts.push({ count: part.length, points: formatPoints(sum) });
    }
    return {
      errors: this.#errors,
      badRows: this.#badLines.size,
      points: formatPoints(total),
      transferCount: kept.length,
      parts,
      fixes: this.#fixCounts(),
      duplicateCount: this.#duplicateCount,
      total: this.#total,
      transfers: kept.map(({ toAddress, units }) => ({ toAddress, points: formatPoints(units) })),
    };
  }

  #cell(row: number, field: "toAddress" | "points"): string {
    return this.rows[row]!.cells[this.options.columns.map[field]] ?? "";
  }

  /** @returns the amount when it can be read, even below the minimum */
  #checkPoints(row: number): string | null {
    const given = this.#cell(row, "points");
    if (given === "") return this.#add(row, "points", "", "required");
    const amount = this.#amountOf(row);
    if (amount !== null) {
      this.#rules.checkPoints(row, amount);
      return amount;
    }
    const fix = fixPoints(given, this.options.treatment.format);
    if (fix === null || !this.#applies(fix))
      return this.#add(row, "points", given, "invalid_points", { fix });
    this.#rules.checkPoints(row, fix.value);
    return fix.value;
  }

  #amountOf(row: number): string | null {
    const { points } = this.options.columns.map;
    const given = this.#cell(row, "points");
    if (this.rows[row]!.numbers?.includes(points)) return isPoints(given) ? given : null;
    return readAmount(given, this.format);
  }

  /** Null when it is invalid. `first` is the transfer that already pays it. */
  #checkAddress(row: number): { toAddress: string; first: Kept | undefined } | null {
    const given = this.#cell(row, "toAddress");
    if (given === "") return this.#add(row, "toAddress", "", "required");
    let toAddress = given;
    if (!hasShape(given)) {
      const fix = fixAddress(given);
      if (fix === null || !this.#applies(fix))
        return this.#add(row, "toAddress", given, "invalid_address", { fix });
      toAddress = fix.value;
    }
    const first = this.#kept.get(addressKey(toAddress));
    if (first !== undefined && this.options.treatment.duplicates !== "refuse") {
      this.#duplicateCount++;
      const error = addressError(toAddress);
      if (error === null) return { toAddress, first };
      if (error === "invalid_address") return this.#add(row, "toAddress", given, error);
      const fix = this.#otherChecksum(row, given);
      return fix === null ? null : { toAddress: fix, first };
    }
    this.#isInvalid = false;
    this.#rules.checkDestination(row, toAddress);
    if (!this.#isInvalid) return { toAddress, first };
    if (addressError(toAddress) !== "invalid_checksum") return null;
    const fix = this.#otherChecksum(row, given);
    if (fix === null) return null;
    this.#rules.checkDestination(row, fix);
    return { toAddress: fix, first };
  }

  /** The EIP-55 form of an address with the checksum of another chain, once that is accepted. */
  #otherChecksum(row: number, given: string): string | null {
    const fix = fixAddress(given);
    if (fix !== null && this.#applies(fix)) return fix.value;
    return this.#add(row, "toAddress", given, "invalid_checksum", { fix });
  }

  #applies({ kind, names, loss }: Fix): boolean {
    const of = this.#fixes.get(kind) ?? { count: 0, names: new Map<string, number>(), losses: [] };
    this.#fixes.set(kind, of);
    of.count++;
    for (const name of names) of.names.set(name, (of.names.get(name) ?? 0) + 1);
    if (loss !== undefined) of.losses.push(loss);
    return this.options.treatment.fixes.includes(kind);
  }

  #fixCounts(): FixCount[] {
    return FIX_KINDS.flatMap((kind) => {
      const of = this.#fixes.get(kind);
      return of ? [{ kind, count: of.count, names: [...of.names], loss: sumOfLosses(of.losses) }] : [];
    });
  }

  #addUp(first: Kept, row: number, units: bigint): void {
    first.units += units;
    const sum = formatPoints(first.units);
    if (!isPoints(sum)) this.#add(row, "points", sum, "invalid_points");
  }

  #findTotal(row: TableRow): TotalRow | null {
    const likely = mayBeTotal(row, this.options.columns.map);
    const points = this.#amountOf(this.rows.length - 1);
    const above = formatPoints(this.#above);
    const isSum = points !== null && parsePoints(points) === this.#above;
    return likely === "named" || (likely === "unnamed" && isSum) ? { line: row.line, points, above } : null;
  }

  /** Reports an error. @returns null, as its value cannot be used */
  #add(
    row: number,
    field: "toAddress" | "points",
    value: string,
    code: TransferCode,
    { firstRow, fix }: { firstRow?: number | undefined; fix?: Fix | null } = {},
  ): null {
    const { columns, pointType, limits } = this.options;
    const { line } = this.rows[row]!;
    const reason = fix ? fixMessage(fix) : null;
    const facts = {
      field,
      value,
      least: limits.minimumPoints[pointType],
      pointType,
      ...(firstRow !== undefined && { firstLine: this.rows[firstRow]!.line }),
    };
    const message = reason ?? errorMessage(code, facts);
    const column = columns.names[columns.map[field]] ?? "";
    this.#errors.push({ line, column, value, code, message, ...(fix && { fix }) });
    this.#badLines.add(line);
    return null;
  }
}

/** Whether it looks like an address; the rules check the digits. */
const hasShape = (value: string) => value.length === ADDRESS_CHARS && value.startsWith("0x");

/** Only the rows with errors, unchanged, each with its line number and every reason. */
export function badRowsCsv(table: Table, columns: Columns, { errors }: Checked): string {
  const reasons = new Map<number, string[]>();
  for (const { line, column, message } of errors) {
    const known = reasons.get(line) ?? [];
    known.push(column ? `${column}: ${message}` : message);
    reasons.set(line, known);
  }
  let text = csvLine([...columns.names, "line", "reason"]);
  for (const { line, cells } of table.rows) {
    const why = reasons.get(line);
    if (!why) continue;
    const padded = columns.names.map((_, column) => cells[column] ?? "");
    text += csvLine([...padded, ...cells.slice(columns.names.length), String(line), why.join(" ")]);
  }
  return text;
}
