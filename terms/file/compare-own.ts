import { addressError, addressKey } from "@/terms/address-text";
import { BATCH_ID_PATTERN, BATCH_STATUSES, type BatchStatus } from "@/terms/batch-terms";
import { counted, formatCount } from "@/terms/output-text";
import { transferRows } from "./check-rows";
import type { Checked, FileError, Transfer } from "./checked";
import type { Table, TableRow } from "./decode-file";
import { printable } from "./file-words";
import { ownColumns } from "./own-files";
import type { KnownColumns } from "./rank-columns";

// An export can be paid again, and a spreadsheet that saved it has changed references such as 00701, which
// keep it from being paid twice. So its rows are compared with the batches that they name.

export interface NamedBatch {
  /** In lower case; empty if it is not known. */
  contractAddress: string;
  batchId: string;
}

/** A batch that a row names, as it is stored. */
export interface StoredBatch extends NamedBatch {
  status: BatchStatus;
  reverses: string | null;
  transfers: readonly StoredTransfer[];
}

/** Of a transfer that a reversal has taken back since, nothing is paid any more. */
type StoredTransfer = Transfer & { isTakenBack?: boolean };

const keyOf = ({ contractAddress, batchId }: NamedBatch) => `${contractAddress.toLowerCase()} ${batchId}`;

const mayExist = ({ contractAddress, batchId }: NamedBatch) =>
  BATCH_ID_PATTERN.test(batchId) && (contractAddress === "" || addressError(contractAddress) === null);

/** Compares the rows of an export with the batches that they name, which are read one after the other. */
export class OwnComparison {
  /** The batches that the rows name and that may exist, each once. None for another program's file. */
  readonly named: NamedBatch[];
  readonly #contractAddress: string;
  readonly #columns: KnownColumns;
  readonly #own: ReturnType<typeof ownColumns>;
  /** By batch, of those that are not compared yet. */
  readonly #open = new Map<string, { name: NamedBatch; rows: TableRow[] }>();
  readonly #errors: FileError[] = [];
  /** Rows whose transfer a batch has that is not cancelled, and the first of them. */
  #paid: { count: number; line: number; text: string } | null = null;
  /** Lines that were paid, and taken back since. */
  readonly #takenBack: number[] = [];

  /** @param contractAddress of the batches for which the file does not say it; empty if it is not known */
  constructor({ table, columns }: { table: Table; columns: KnownColumns }, contractAddress: string) {
    this.#contractAddress = contractAddress.toLowerCase();
    this.#columns = columns;
    this.#own = ownColumns(table);
    for (const row of this.#own ? transferRows(table, columns) : []) {
      const contract = row.cells[this.#own!.contractAddress] || this.#contractAddress;
      const batchId = row.cells[this.#own!.batchId] ?? "";
      const name = { contractAddress: contract.toLowerCase(), batchId };
      const group = this.#open.get(keyOf(name));
      if (group) group.rows.push(row);
      else if (name.batchId) this.#open.set(keyOf(name), { name, rows: [row] });
    }
    this.named = [...this.#open.values()].map(({ name }) => name).filter(mayExist);
  }

  /** Compares each row that names this batch with its transfer to the row's address. */
  add(batch: StoredBatch): void {
    const transfers = new Map(batch.transfers.map((one) => [addressKey(one.toAddress), one]));
    for (const row of this.#open.get(keyOf(batch))?.rows ?? []) {
      const transfer = transfers.get(addressKey(row.cells[this.#columns.map.toAddress] ?? ""));
      if (transfer) this.#compare(row, batch, transfer);
    }
    this.#open.delete(keyOf(batch));
  }

  #compare(row: TableRow, { batchId, status, reverses }: StoredBatch, transfer: StoredTransfer): void {
    const { map } = this.#columns;
    const { line, cells } = row;
    const { reference = "", points, toAddress } = transfer;
    if (reverses !== null) {
      this.#addTaking(row, `${batchId} took these points back for ${reverses}.`);
      return;
    }
    if (map.reference !== null && isRewritable(reference) && (cells[map.reference] ?? "") !== reference)
      this.#addError(
        row,
        map.reference,
        `${batchId} has the reference ${reference} here; a spreadsheet changed it. ` +
          "Restore it, or remove the column batch_id to pay the rows of this file as new ones.",
      );
    if (transfer.isTakenBack) this.#takenBack.push(line);
    else if (status !== "CANCELLED")
      this.#addPaid(
        line,
        `batch ${batchId} (${status}) has a transfer of ${points} to ${toAddress}` +
          `${reference && `, with the reference ${reference}`}.`,
      );
  }

  #addError({ line, cells }: TableRow, column: number, message: string): void {
    const [name = "", value = ""] = [this.#columns.names[column], cells[column]];
    this.#errors.push({ line, column: name, value, code: "not_as_stored", message });
  }

  #addTaking(row: TableRow, what: string): void {
    this.#addError(row, this.#own!.batchId, `${what} Leave out the row.`);
  }

  #addPaid(line: number, text: string): void {
    const { count, ...first } = this.#paid ?? { count: 0, line, text };
    this.#paid = { ...(line < first.line ? { line, text } : first), count: count + 1 };
  }

  /** The result of the check with what was found. Of a batch that was not read, its rows say what it did. */
  appliedTo<Result extends Checked>(checked: Result): Result {
    const unread = [...this.#open.values()].flatMap(({ name, rows }) =>
      rows.map((row) => ({ batchId: printable(name.batchId), name, row })),
    );
    for (const { batchId, row } of unread) {
      const said = BATCH_STATUSES.find((status) => status === row.cells[this.#own!.status]);
      const moved = row.cells[this.#own!.counted] ?? "";
      if (moved.startsWith("-"))
        this.#addTaking(row, `The file says that ${batchId} took these points back.`);
      else if (said === "FINALIZED" && moved === "0") this.#takenBack.push(row.line);
      else if (said && said !== "CANCELLED")
        this.#addPaid(row.line, `the file says that batch ${batchId} pays it (${said}).`);
    }
    const errors = [...checked.errors, ...this.#errors].toSorted((one, other) => one.line - other.line);
    const paidAlready = this.#paid && {
      count: this.#paid.count,
      text:
        `PAID ALREADY: ${formatCount(this.#paid.count)} of ${counted(checked.rowCount, "row", "rows")}. ` +
        `Line ${this.#paid.line}: ${this.#paid.text}`,
    };
    const [first] = this.#takenBack.toSorted((one, other) => one - other);
    const rows = counted(this.#takenBack.length, "row was", "rows were");
    const takenBack = `${rows} paid and taken back since, such as line ${first}.`;
    const [other] = unread;
    const contract = other?.name.contractAddress ?? "";
    const of = contract === this.#contractAddress ? "" : ` of ${printable(contract)}`;
    const names = counted(unread.length, "row names", "rows name");
    return {
      ...checked,
      errors,
      badRows: new Set(errors.map(({ line }) => line)).size,
      paidAlready,
      notes: [
        ...checked.notes,
        ...(first === undefined ? [] : [takenBack]),
        ...(other ? [`${names} batches that could not be compared, such as ${other.batchId}${of}.`] : []),
      ],
    };
  }
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
