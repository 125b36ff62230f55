import { formatAmount } from "@/app/ui/amount";
import type { FieldCode } from "@/server/kernel/values/problems";

/** The server's codes for a transfer. */
export type TransferCode = Extract<
  FieldCode,
  | "required"
  | "invalid_address"
  | "invalid_checksum"
  | "invalid_points"
  | "points_below_minimum"
  | "duplicate_destination"
  | "destination_is_contract"
  | "destination_is_zero"
>;
/** Also the one code that only a file can have. */
export type RowCode = TransferCode | "cells_do_not_fit";

export const KIND_LABELS = {
  cells_do_not_fit: "Too many cells",
  required: "Missing value",
  invalid_address: "Invalid address",
  invalid_checksum: "Checksum mismatch",
  invalid_points: "Invalid amount",
  points_below_minimum: "Below minimum",
  duplicate_destination: "Duplicate",
  destination_is_contract: "Contract itself",
  destination_is_zero: "Zero address",
} as const satisfies Record<RowCode, string>;

interface ErrorFacts {
  field: "toAddress" | "points";
  value: string;
  least: string;
  pointType: string;
  /** Line of the first row with the same destination. */
  firstLine?: number;
}

/** Says what is wrong and how to fix it. */
export function errorMessage(code: TransferCode, facts: ErrorFacts): string {
  switch (code) {
    case "required":
      return facts.field === "points" ? "Enter an amount." : "Enter an address.";
    case "invalid_address":
      return addressMessage(facts.value);
    case "invalid_checksum":
      return "Checksum mismatch: a character may be wrong. Copy the address again from its source.";
    case "invalid_points":
      return pointsMessage(facts.value);
    case "points_below_minimum":
      return `Below the minimum of ${facts.least} ${facts.pointType} per transfer. Increase it, or remove the row.`;
    case "duplicate_destination":
      return `Line ${facts.firstLine} already pays this address. Combine both amounts in one row.`;
    case "destination_is_contract":
      return "A contract cannot pay itself. Remove the row.";
    case "destination_is_zero":
      return "Points sent to the zero address are lost. Remove the row.";
  }
}

/** Of a row that has more cells than the table has columns, also after the parts of its amount were joined. */
export const cellsMessage = (cells: number, columns: number) =>
  `Has ${cells} cells, but the file has ${columns} columns. Put each value that contains a separator in quotes.`;

function addressMessage(value: string): string {
  if (/^0x[0-9a-f]+(?:\.{2,}|…)[0-9a-f]+$/i.test(value))
    return "The address is shortened. Copy the full address from its source.";
  if (/\.[a-z]{2,}$/i.test(value)) return "Names are not resolved. Enter the address itself.";
  if (/^(?:0x)?[0-9a-f]{64}$/i.test(value))
    return "64 hex digits are a transaction hash or a private key, not an address. If it is a key, do not use it any more.";
  if (/^\d(?:[.,]\d+)?e\+?\d+$|^\d{41,}$/i.test(value)) {
    return "A spreadsheet turned the address into a number. Format the column as text and paste the addresses again.";
  }
  if (/^[0-9a-f]{40}$/i.test(value)) return "Add 0x at the start.";
  if (/^0X/.test(value)) return "Write 0x with a lowercase x.";
  if (/\s/.test(value)) return "Remove the space.";
  const digits = /^0x([0-9a-f]*)$/i.exec(value)?.[1];
  if (digits !== undefined)
    return `Has ${digits.length} hex digits instead of 40. Copy the full address again.`;
  return "Not an address. Enter 0x followed by 40 hex digits.";
}

const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

function pointsMessage(value: string): string {
  if (/^\d{1,3},\d{3}$/.test(value)) {
    const [whole, rest] = value.split(",");
    return `The comma is ambiguous. Enter ${whole}${rest} for ${formatAmount(`${whole}${rest}`)}, or ${whole}.${rest} with a decimal point.`;
  }
  if (GROUPED.test(value)) return `Remove the thousands separators: ${value.replaceAll(",", "")}.`;
  if (/^\d+,\d+$/.test(value)) return `Use a decimal point: ${value.replace(",", ".")}.`;
  if (/^\d[\d.]*[\s'’_][\d\s'’_.]*$/.test(value)) {
    return `Remove the separators: ${value.replaceAll(/[\s'’_]/g, "")}.`;
  }
  if (/^[+-]?\d+(?:\.\d*)?e[+-]?\d+$/i.test(value)) {
    return "Scientific notation may have lost digits. Format the column as a plain number with all digits.";
  }
  if (value.startsWith("#")) return "The formula has an error. Fix it in the spreadsheet.";
  if (value.startsWith("=")) {
    return "The formula has no stored result. Open the file in a spreadsheet, save it, and choose it again.";
  }
  if (/^\d{4}-\d{2}-\d{2}/.test(value))
    return "This cell is a date. Format it as a number in the spreadsheet, or choose another column.";
  if (/^-/.test(value)) return "An amount cannot be negative.";
  if (/^\+/.test(value)) return "Remove the plus sign.";
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(value))
    return "Remove the thousands separators and use a decimal point.";
  if (/^0\d/.test(value)) return `Remove the leading zeros: ${value.replace(/^0+(?=\d)/, "")}.`;
  if (/^\.\d+$/.test(value)) return `Add a zero before the point: 0${value}.`;
  if (/^\d+\.$/.test(value)) return `Remove the trailing point: ${value.slice(0, -1)}.`;
  if (/^\d+\.\d{13,}$/.test(value)) return "More than 12 decimals. Round the amount to 12 decimals.";
  if (/^\d{27,}/.test(value)) return "More than 26 digits before the decimal point. Enter a smaller amount.";
  if (/^[^\d]*\d[\d.]*[^\d.]*$/.test(value)) return "Enter the number only, without a unit or currency sign.";
  return "Not an amount. Enter a plain number, such as 10.5.";
}
