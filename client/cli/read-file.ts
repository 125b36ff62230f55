import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Command, InvalidArgumentError, Option } from "commander";
import { POINT_TYPES, type PointType } from "../../terms/batch-terms.ts";
import { checkRows, columnChoices } from "../../terms/file/check-rows.ts";
import { type CheckedRows, type ColumnChoice, type RowLimits, UNTREATED } from "../../terms/file/checked.ts";
import { FILE_BYTES_MAX, FileProblem, type Table } from "../../terms/file/decode-file.ts";
import {
  listed,
  lossWords,
  noColumn,
  ONE_COLUMN,
  printable,
  shortened,
  totalWords,
  visible,
} from "../../terms/file/file-words.ts";
import { NUMBER_FORMATS, type NumberFormat } from "../../terms/file/number-format.ts";
import { openFile, readContent } from "../../terms/file/open-file.ts";
import type { ColumnMap, Columns, KnownColumns } from "../../terms/file/rank-columns.ts";
import { FIX_KINDS, type FixKind } from "../../terms/file/row-errors.ts";
import { counted, formatAmount, formatCount } from "../../terms/output-text.ts";
import { cannotRead, EXIT, Failure, table as tableText } from "./terminal.ts";

/** What a person decides about a file in the console's New payout. */
export interface FileOptions {
  type: PointType;
  addressColumn?: string;
  amountColumn?: string;
  referenceColumn?: string;
  header?: "yes" | "no";
  sheet?: string;
  numberFormat?: NumberFormat;
  duplicates?: "add-up" | "keep-first";
  fix?: FixKind[];
  leaveOutTotal?: boolean;
  belowMinimum?: "leave-out";
}

export function withFileOptions(command: Command): Command {
  const choice = (flags: string, text: string, choices: readonly string[]) =>
    command.addOption(new Option(flags, text).choices(choices));
  command.addOption(
    new Option("--type <type>", "point type of all transfers").choices(POINT_TYPES).makeOptionMandatory(),
  );
  command
    .option("--address-column <column>", "name or number of the column with the addresses")
    .option("--amount-column <column>", "name or number of the column with the amounts")
    .option(
      "--reference-column <column>",
      "of what each row pays for, which is paid once; none for no such column",
    )
    .option("--sheet <name>", "sheet of a workbook that has several");
  choice("--header <answer>", "whether the first row names the columns", ["yes", "no"]);
  choice("--number-format <format>", "how the amounts are written", NUMBER_FORMATS);
  choice("--duplicates <how>", "rows that pay the same address", ["add-up", "keep-first"]);
  choice("--below-minimum <how>", "rows with less than the minimum", ["leave-out"]);
  return command
    .option(
      "--fix <kinds>",
      `apply what the errors propose for values with one likely meaning: ${FIX_KINDS.join(", ")}`,
      fixKinds,
    )
    .option("--leave-out-total", "leave out a last row with the total");
}

function fixKinds(text: string): FixKind[] {
  const kinds = text.split(",").map((kind) => FIX_KINDS.find((known) => known === kind.trim()));
  if (kinds.includes(undefined))
    throw new InvalidArgumentError(`It must be one or more of ${FIX_KINDS.join(",")}, with commas.`);
  return kinds as FixKind[];
}

export interface ReadPayout {
  name: string;
  table: Table;
  columns: KnownColumns;
  checked: CheckedRows;
}

/** Reads and checks a file as New payout does. @throws Failure when the rows cannot even be checked */
export async function readPayout(
  path: string,
  options: FileOptions & { contract?: string },
  limits: RowLimits,
): Promise<ReadPayout> {
  const name = basename(path);
  const problem = (text: string) => new Failure(EXIT.badInput, `${name}: ${text}`);
  try {
    // At most one byte more than it may have: a pipe or a device does not say its size.
    const bytes = await buffer(createReadStream(path, { end: FILE_BYTES_MAX })).catch(cannotRead(path));
    const content = await readContent(new Blob([bytes]));
    const header = options.header && options.header === "yes";
    let { table, loaded } = openFile(content, { name, header });
    if (loaded.workbook && (options.sheet !== undefined || loaded.workbook.sheet === null)) {
      const { sheets } = loaded.workbook;
      const sheet = sheets.findIndex(({ name: own }) => [own, printable(own)].includes(options.sheet ?? ""));
      if (sheet === -1) {
        const missing =
          options.sheet === undefined ? "" : `There is no sheet "${printable(options.sheet)}". `;
        const labels = sheets.map(
          ({ name, isHidden }) => `"${printable(name)}"${isHidden ? " (hidden)" : ""}`,
        );
        throw problem(`${missing}Choose a sheet with --sheet: ${listed(labels)}.`);
      }
      ({ table, loaded } = openFile(content, { name, header, sheet }));
      if (loaded.rowCount === 0) throw problem("The sheet has no rows. Choose another one.");
    }
    const { columns } = loaded;
    const column = (which: keyof ColumnMap, given: string | undefined, flag: string) => {
      const at = given === undefined ? columns.map[which] : columnAt(columns, given);
      if (at !== null) return at;
      if (columns.names.length < 2) throw problem(ONE_COLUMN);
      const isAsked = given === undefined && which !== "reference";
      const choices = isAsked ? columnChoices(table, columns)[which] : [];
      if (choices.length > 0)
        throw new Failure(
          EXIT.badInput,
          `${name}: Which column has the ${which === "points" ? "amounts" : "addresses"}? ` +
            `Add ${flag} with its name or number:\n\n${choicesText(choices)}`,
          { file: name, questions: [flag.slice(2)], choices },
        );
      const names = listed(columns.names.map((one) => `"${one}"`));
      const missing = isAsked ? noColumn(which, columns) : `There is no column "${given}".`;
      throw problem(`${missing} Add ${flag} with one of ${names}.`);
    };
    const { referenceColumn } = options;
    const referenceAt = (given: string) =>
      given === "none" ? null : column("reference", given, "--reference-column");
    const map = {
      toAddress: column("toAddress", options.addressColumn, "--address-column"),
      points: column("points", options.amountColumn, "--amount-column"),
      reference: referenceColumn === undefined ? columns.map.reference : referenceAt(referenceColumn),
    };
    const chosen = { ...columns, map };
    const checking = checkRows(table, {
      contractAddress: options.contract ?? "",
      pointType: options.type,
      limits,
      columns: chosen,
      treatment: {
        ...UNTREATED,
        format: options.numberFormat ?? null,
        fixes: options.fix ?? [],
        duplicates: options.duplicates ?? UNTREATED.duplicates,
        leaveOutTotal: options.leaveOutTotal ?? false,
        belowMinimum: options.belowMinimum ?? UNTREATED.belowMinimum,
      },
    });
    let step = checking.next();
    while (!step.done) step = checking.next();
    const checked: CheckedRows = {
      ...step.value,
      notes: [...step.value.notes, ...decisionNotes(step.value, options)],
    };
    return { name, table, columns: chosen, checked };
  } catch (error) {
    throw error instanceof FileProblem ? problem(error.message) : error;
  }
}

const choicesText = (choices: readonly ColumnChoice[]) =>
  tableText([
    ["column", "name", "first values", "total"],
    ...choices.map((choice) => [
      String(choice.column + 1),
      choice.name,
      choice.samples.map(shortValue).join(", "),
      totalWords(choice),
    ]),
  ]);

/** By its name, in any letter case, or by its number from 1. */
function columnAt({ names }: Columns, given: string): number | null {
  const at = names.findIndex((name) => name.toLowerCase() === given.trim().toLowerCase());
  const found = at === -1 && /^\d+$/.test(given) ? Number(given) - 1 : at;
  return found >= 0 && found < names.length ? found : null;
}

function fixOption({ fixes }: CheckedRows, options: FileOptions): string | null {
  const kinds = fixes.map(({ kind }) => kind).filter((kind) => !options.fix?.includes(kind));
  return kinds.length === 0 ? null : `To apply the proposed values: --fix ${kinds.join(",")}`;
}

/** What the options changed, to look at before it is paid. */
function decisionNotes(checked: CheckedRows, options: FileOptions): string[] {
  const { errors, fixes, duplicateCount, below, total } = checked;
  const rows = (count: number, what: string) => `${counted(count, "row", "rows")} ${what}.`;
  const { duplicates, leaveOutTotal } = options;
  const done = duplicates === "add-up" ? "added to an earlier row of its address" : "left out as a duplicate";
  return [
    errors.length === 0 && fixOption(checked, options),
    ...fixes
      .filter(({ kind }) => options.fix?.includes(kind))
      .map(({ kind, count, loss }) => {
        const cost = loss === "0" ? "" : `: ${lossWords(loss)}`;
        return rows(count, `read as proposed (${kind})${cost}`);
      }),
    duplicates && duplicateCount > 0 && rows(duplicateCount, done),
    below.leftOut.length > 0 &&
      rows(below.count, `below the minimum left out, with ${formatAmount(below.points)} in all`),
    leaveOutTotal &&
      total &&
      `Line ${total.line} is left out. ` +
        `Its total is ${total.points ?? "empty"}; the rows add up to ${total.above}.`,
  ].filter((note) => typeof note === "string");
}

const ERRORS_SHOWN = 20;
const VALUE_CHARS_SHOWN = 50;

const shortValue = (value: string) => shortened(visible(value), VALUE_CHARS_SHOWN);

/** What is wrong with the file, and which options help; null when it can be paid. */
export function faultsOf({ checked, name }: ReadPayout, options: FileOptions): string | null {
  const { questions, readings, errors, badRows, rowCount } = checked;
  const lines: string[] = [];
  if (questions.includes("format"))
    lines.push(
      `${name}: The amounts can be read in more than one way. Compare the totals, and add one of these:`,
      ...readings.map(({ format, sum }) => `  --number-format "${format}"   total ${formatAmount(sum)}`),
    );
  if (errors.length > 0) {
    const shown = errors
      .slice(0, ERRORS_SHOWN)
      .map(({ line, column, value, message }) => [String(line), column, shortValue(value), message]);
    lines.push(
      `${name}: ${formatCount(badRows)} of ${counted(rowCount, "row", "rows")} ` +
        `${badRows === 1 ? "has" : "have"} errors. Nothing was sent.`,
      "",
      tableText([["line", "column", "value", "reason"], ...shown]),
    );
    if (errors.length > ERRORS_SHOWN)
      lines.push(
        `… and ${counted(errors.length - ERRORS_SHOWN, "more error", "more errors")}. ` +
          "All: --json, or check --report FILE",
      );
  }
  if (lines.length === 0) return checked.transferCount > 0 ? null : `${name}: No transfers are left to pay.`;
  const help = helpfulOptions(checked, options);
  return [...lines, "", ...checked.notes, ...(help.length > 0 ? ["", ...help] : [])].join("\n");
}

function helpfulOptions(checked: CheckedRows, options: FileOptions): string[] {
  const { errors, badRows, rowCount, duplicateCount, below, total } = checked;
  if (errors.length === 0) return [];
  return [
    fixOption(checked, options),
    duplicateCount > 0 &&
      !options.duplicates &&
      "For rows that pay the same address: --duplicates add-up or keep-first",
    below.count > below.leftOut.length &&
      `For ${counted(below.count, "row", "rows")} below the minimum, ` +
        `with ${formatAmount(below.points)} in all: --below-minimum leave-out`,
    errors.some(({ code }) => code === "duplicate_reference") &&
      "If the column does not say what each row pays for: --reference-column none",
    badRows === rowCount &&
      "If these are not the right columns: --address-column, --amount-column and --header",
    total && !options.leaveOutTotal && `Line ${total.line} may be the total of the others: --leave-out-total`,
  ].filter((line) => typeof line === "string");
}
