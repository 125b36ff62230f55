import { type RowError, rowRules } from "@/server/batches/submit/row-rules";
import type { BatchLimits } from "@/server/kernel/batch-limits";
import { addressKey } from "@/server/kernel/values/address-text";
import type { PointType } from "@/server/kernel/values/point-types";
import { formatPoints, parsePoints } from "@/server/kernel/values/points";
import { errorMessage, type RowCode } from "./error-words";
import type { Columns } from "./map-columns";
import type { Table, TableRow } from "./read-table";

export interface CheckOptions {
  contractAddress: string;
  pointType: PointType;
  limits: BatchLimits;
  columns: Columns & { map: { toAddress: number; points: number } };
}

export interface FileError {
  line: number;
  /** Name of the column; empty when the error concerns the whole row. */
  column: string;
  value: string;
  code: RowCode;
  message: string;
}

export interface Part {
  count: number;
  /** Decimal string, exact. */
  points: string;
}

/** A destination that an earlier part also pays: allowed, but worth a look. */
export interface Repeat {
  line: number;
  firstLine: number;
  toAddress: string;
}

export interface Checked {
  rowCount: number;
  errors: FileError[];
  badRows: number;
  /** Total of the valid rows. */
  points: string;
  parts: Part[];
  repeatCount: number;
  repeats: Repeat[];
}

const REPEATS_KEPT = 100;
const ADDRESS_CHARS = 42;

/** All rows but the header. */
export const transferRows = (table: Table, { header }: Columns): TableRow[] =>
  table.rows.slice(header ? 1 : 0);

/**
 * Checks every row with the server's own rules, in the parts in which they will be submitted. Yields the number of rows
 * done after each part, so that the caller can pause.
 */
export function* checkRows(table: Table, options: CheckOptions): Generator<number, Checked> {
  const rows = transferRows(table, options.columns);
  const { transfersMax } = options.limits;
  const partOf = new Map<string, number>();
  const checked: Checked = {
    rowCount: rows.length,
    errors: [],
    badRows: 0,
    points: "0",
    parts: [],
    repeatCount: 0,
    repeats: [],
  };
  let total = 0n;
  for (let start = 0; start < rows.length; start += transfersMax) {
    const part = rows.slice(start, start + transfersMax);
    const sum = checkPart(part, table, options, checked);
    noteRepeats(part, options, partOf, checked);
    total += sum;
    checked.parts.push({ count: part.length, points: formatPoints(sum) });
    yield Math.min(start + transfersMax, rows.length);
  }
  checked.points = formatPoints(total);
  return checked;
}

/** @returns the exact sum of the valid rows */
function checkPart(part: readonly TableRow[], table: Table, options: CheckOptions, checked: Checked): bigint {
  const { columns, pointType, limits } = options;
  const { map } = columns;
  const firstError = checked.errors.length;
  const add = (line: number, field: "toAddress" | "points", value: string, code: RowCode, message: string) =>
    checked.errors.push({ line, column: columns.names[map[field]] ?? "", value, code, message });
  const factsOf = (field: "toAddress" | "points", value: string, firstRow?: number) => ({
    field,
    value,
    least: limits.minimumPoints[pointType],
    pointType,
    firstLine: firstRow === undefined ? undefined : part[firstRow]?.line,
  });
  const report = ({ row, field, code, firstRow }: RowError) => {
    const { line, cells } = part[row]!;
    const value = cells[map[field]] ?? "";
    const known = code as Exclude<RowCode, "cells_do_not_fit">;
    add(line, field, value, known, errorMessage(known, factsOf(field, value, firstRow)));
  };
  const rules = rowRules({ contractAddress: options.contractAddress, pointType, limits, report });
  let sum = 0n;
  for (let row = 0; row < part.length; row++) {
    const { line, cells } = part[row]!;
    const before = checked.errors.length;
    const misfit = cellsError(cells, table, columns, map.points);
    if (misfit) {
      checked.errors.push({ line, column: "", value: cells.join(table.delimiter), ...misfit });
    } else {
      for (const field of ["toAddress", "points"] as const) {
        const value = cells[map[field]] ?? "";
        if (value === "") add(line, field, "", "required", errorMessage("required", factsOf(field, value)));
        else if (field === "points") rules.checkPoints(row, value);
        else rules.checkDestination(row, value);
      }
    }
    if (checked.errors.length === before) sum += parsePoints(cells[map.points]!);
  }
  checked.badRows += new Set(checked.errors.slice(firstError).map(({ line }) => line)).size;
  return sum;
}

/** `1,000` without quotes is two cells, and the first one alone would be a plausible wrong amount. */
function cellsError(cells: readonly string[], table: Table, { header, names }: Columns, points: number) {
  const code = "cells_do_not_fit" as const;
  if (cells.length > names.length) {
    return {
      code,
      message: `Has ${cells.length} cells, but the file has ${names.length} columns. If an amount contains a comma, write it as 1000.5 or put the cell in quotes.`,
    };
  }
  if (!header && table.delimiter === "," && /^\d+$/.test(cells[points + 1] ?? "")) {
    return {
      code,
      message:
        "The amount is followed by a comma and more digits. Write it as 1000.5, without separators, or add a header row.",
    };
  }
  return null;
}

function noteRepeats(
  part: readonly TableRow[],
  { columns }: CheckOptions,
  lineOf: Map<string, number>,
  checked: Checked,
): void {
  const found: [string, number][] = [];
  for (const { line, cells } of part) {
    const toAddress = cells[columns.map.toAddress] ?? "";
    if (toAddress.length !== ADDRESS_CHARS) continue;
    const key = addressKey(toAddress);
    const firstLine = lineOf.get(key);
    if (firstLine === undefined) {
      found.push([key, line]);
      continue;
    }
    checked.repeatCount++;
    if (checked.repeats.length < REPEATS_KEPT) checked.repeats.push({ line, firstLine, toAddress });
  }
  for (const [key, line] of found) if (!lineOf.has(key)) lineOf.set(key, line);
}
