import { addressError, addressKey } from "@/terms/address-text";
import { BATCH_ID_PATTERN, BATCH_STATUSES, type BatchStatus } from "@/terms/batch-terms";
import { counted, formatCount } from "@/terms/output-text";
import { transferRows } from "./check-rows";
import type { Checked, FileError, Transfer } from "./checked";
import { FileProblem, type Table, type TableRow } from "./decode-file";
import { printable } from "./file-words";
import { type OwnColumns, ownColumns } from "./own-files";
import type { Columns, KnownMap } from "./rank-columns";

// An export can be paid again, and a spreadsheet that saved it has changed references such as 00701, which
// keep it from being paid twice. So its rows are compared with the batches that they name.

interface OwnFile {
  table: Table;
  columns: Columns & { map: KnownMap };
}

export interface NamedBatch {
  /** In lower case; null where the file does not say it. */
  contractAddress: string | null;
  batchId: string;
}

/** A batch that a row names, as it is stored. */
export interface StoredBatch {
  contractAddress: string;
  batchId: string;
  status: BatchStatus;
  reverses: string | null;
  transfers: readonly Transfer[];
}

export interface Comparison {
  errors: FileError[];
  /** Rows whose transfer a batch has that is not cancelled. */
  paid: Checked["paidAlready"];
  notes: string[];
}

/** How many batches are read for one file. */
const NAMED_MAX = 500;

/**
 * The batches that the rows of an export name and that may exist, each once. Empty for any other file.
 * @throws FileProblem for too many
 */
export function namedBatches({ table, columns }: OwnFile): NamedBatch[] {
  const own = ownColumns(table);
  if (!own) return [];
  const named = new Map<string, NamedBatch>();
  for (const row of transferRows(table, columns)) {
    const name = nameOf(row, own);
    if (!name || !BATCH_ID_PATTERN.test(name.batchId)) continue;
    const key = keyOf(name.contractAddress ?? "", name.batchId);
    if (!named.has(key) && isAddress(name.contractAddress)) named.set(key, name);
    if (named.size > NAMED_MAX)
      throw new FileProblem(
        `The file names more than ${NAMED_MAX} batches, too many to see what they have paid. ` +
          "Split the file, or remove the column batch_id to pay its rows as new ones.",
      );
  }
  return [...named.values()];
}

const isAddress = (contract: string | null) => contract === null || addressError(contract) === null;

function nameOf({ cells }: TableRow, own: OwnColumns): NamedBatch | null {
  const batchId = cells[own.batchId];
  if (!batchId) return null;
  const contract = own.contractAddress === null ? "" : cells[own.contractAddress];
  return { contractAddress: contract ? contract.toLowerCase() : null, batchId };
}

const keyOf = (contractAddress: string, batchId: string) => `${contractAddress.toLowerCase()} ${batchId}`;

/**
 * Compares each row with the transfer to its address in the batch that it names, which pays it once.
 * @param contractAddress of the batches for which the file does not say it
 */
export function compareOwn(
  { table, columns }: OwnFile,
  stored: readonly StoredBatch[],
  contractAddress: string,
): Comparison {
  const own = ownColumns(table);
  const rows = transferRows(table, columns);
  const errors: FileError[] = [];
  const paid: string[] = [];
  const unread: string[] = [];
  const batches = new Map(
    stored.map((batch) => [
      keyOf(batch.contractAddress, batch.batchId),
      { batch, transfers: new Map(batch.transfers.map((one) => [addressKey(one.toAddress), one])) },
    ]),
  );
  const { map, names } = columns;
  for (const row of own ? rows : []) {
    const name = nameOf(row, own!);
    if (!name) continue;
    const { line, cells } = row;
    const batchId = printable(name.batchId);
    const found = batches.get(keyOf(name.contractAddress ?? contractAddress, name.batchId));
    if (!found) {
      const isOther = name.contractAddress !== null && name.contractAddress !== contractAddress.toLowerCase();
      unread.push(batchId + (isOther ? ` of ${printable(name.contractAddress!)}` : ""));
      const said = saidOf(row, own!);
      if (said) paid.push(`Line ${line}: the file says that batch ${batchId} pays it (${said}).`);
      continue;
    }
    const { batch, transfers } = found;
    const transfer = transfers.get(addressKey(cells[map.toAddress] ?? ""));
    if (!transfer) continue;
    const add = (column: number, message: string) => {
      const value = cells[column] ?? "";
      errors.push({ line, column: names[column] ?? "", value, code: "not_as_stored", message });
    };
    if (batch.reverses !== null) {
      add(own!.batchId, `${batchId} took these points back for ${batch.reverses}. Leave out the row.`);
      continue;
    }
    const { reference = "", points, toAddress } = transfer;
    if (map.reference !== null && isRewritable(reference) && (cells[map.reference] ?? "") !== reference)
      add(
        map.reference,
        `${batchId} has the reference ${reference} here; a spreadsheet changed it. ` +
          "Restore it, or remove the column batch_id to pay the rows of this file as new ones.",
      );
    if (batch.status !== "CANCELLED")
      paid.push(
        `Line ${line}: batch ${batchId} (${batch.status}) has a transfer of ${points} to ${toAddress}` +
          `${reference && `, with the reference ${reference}`}.`,
      );
  }
  const share = `${formatCount(paid.length)} of ${counted(rows.length, "row", "rows")}`;
  const named = counted(unread.length, "row names", "rows name");
  return {
    errors,
    paid: paid.length === 0 ? null : { count: paid.length, text: `PAID ALREADY: ${share}. ${paid[0]}` },
    notes: unread.slice(0, 1).map((one) => `${named} batches that could not be compared, such as ${one}.`),
  };
}

/** What an export says of a row whose batch cannot be read: its status, or what it counted. */
function saidOf({ cells }: TableRow, { status, counted: moved }: OwnColumns): string | null {
  const said = BATCH_STATUSES.find((one) => status !== null && one === cells[status]);
  if (said) return said === "CANCELLED" ? null : said;
  const amount = moved === null ? "" : (cells[moved] ?? "");
  return /[1-9]/.test(amount) ? `counted ${amount}` : null;
}

const MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
/** Letters of what a spreadsheet takes for a date, a time or an exponent. */
const READ_LETTERS = new RegExp(`(?:${MONTHS})[a-z]*|[ap]m|e`, "gi");
const READ_WORDS = /^(?:n\/?a|nan|null|none|nil|true|false|yes|no|inf|infinity)$/i;

/** Whether spreadsheets and statistics programs read it as something else than a text. */
function isRewritable(reference: string): boolean {
  if (reference === "") return false;
  if (READ_WORDS.test(reference) || /^[\s'=+\-@]|\s$/.test(reference)) return true;
  return /^[\d\s.,:/+%$€£()-]*$/.test(reference.replaceAll(READ_LETTERS, ""));
}

/** The result of a check with what the comparison found. */
export function withComparison<Result extends Checked>(checked: Result, comparison: Comparison): Result {
  const { paid, notes } = comparison;
  const errors = [...checked.errors, ...comparison.errors].toSorted((one, other) => one.line - other.line);
  return {
    ...checked,
    errors,
    badRows: new Set(errors.map(({ line }) => line)).size,
    paidAlready: paid,
    notes: [...checked.notes, ...notes],
  };
}
