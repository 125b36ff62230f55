import type { FieldCode } from "@/server/problems";
import { formatAmount } from "../../../../ui/amount";

/** What can be wrong with a row of a file: what the service says of a transfer, and what only a file can have. */
export type RowCode =
  | Extract<
      FieldCode,
      | "required"
      | "invalid_address"
      | "invalid_checksum"
      | "invalid_points"
      | "points_below_minimum"
      | "duplicate_destination"
      | "destination_is_contract"
      | "destination_is_zero"
    >
  | "cells_do_not_fit";

/** What a kind of fault is called where faults are counted. */
export const KIND_WORDS = {
  cells_do_not_fit: "Too many cells",
  required: "Missing",
  invalid_address: "Not an address",
  invalid_checksum: "Checksum",
  invalid_points: "Not an amount",
  points_below_minimum: "Too small",
  duplicate_destination: "Duplicate",
  destination_is_contract: "The contract itself",
  destination_is_zero: "Zero address",
} as const satisfies Record<RowCode, string>;

export interface FaultFacts {
  field: "toAddress" | "points";
  value: string;
  least: string;
  pointType: string;
  /** Line of the first row with the same destination. */
  firstLine?: number;
}

/** What is wrong, and what to do about it. */
export function faultWords(code: Exclude<RowCode, "cells_do_not_fit">, facts: FaultFacts): string {
  switch (code) {
    case "required":
      return facts.field === "points" ? "No amount. Write one." : "No address. Write one.";
    case "invalid_address":
      return addressWords(facts.value);
    case "invalid_checksum":
      return "Upper and lower case do not fit: a digit may be wrong or lost. Copy the address again from its source.";
    case "invalid_points":
      return pointsWords(facts.value);
    case "points_below_minimum":
      return `Less than the least transfer, ${facts.least} ${facts.pointType}. Raise it, or take the row out.`;
    case "duplicate_destination":
      return `Line ${facts.firstLine} pays this address already. Add the two up and keep one.`;
    case "destination_is_contract":
      return "The sending contract cannot pay itself. Take the row out.";
    case "destination_is_zero":
      return "Points sent to the zero address are lost. Take the row out.";
  }
}

function addressWords(value: string): string {
  if (/\.[a-z]{2,}$/i.test(value))
    return "Names are not looked up. Write the address that the name stands for.";
  if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(value)) {
    return "A spreadsheet made a number of the address. Format the column as text and paste the addresses again.";
  }
  if (/^[0-9a-f]{40}$/i.test(value)) return "Write 0x before it.";
  if (/^0X/.test(value)) return "Write 0x with a small x.";
  if (/\s/.test(value)) return "There is a space in it. Take it out.";
  const digits = /^0x([0-9a-f]*)$/i.exec(value)?.[1];
  if (digits !== undefined) return `Has ${digits.length} hex digits where 40 belong. Copy it again, whole.`;
  return "Not an address: 0x and 40 hex digits.";
}

const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

function pointsWords(value: string): string {
  if (/^\d{1,3},\d{3}$/.test(value)) {
    const [whole, rest] = value.split(",");
    return `The comma can mean two things. Write ${whole}${rest} for ${formatAmount(`${whole}${rest}`)}, or ${whole}.${rest} with a decimal point.`;
  }
  if (GROUPED.test(value)) return `Take the thousands separators out: ${value.replaceAll(",", "")}.`;
  if (/^\d+,\d+$/.test(value)) return `Write the decimals after a point: ${value.replace(",", ".")}.`;
  if (/^\d[\d.]*[\s'’_][\d\s'’_.]*$/.test(value)) {
    return `Take the separators between the digits out: ${value.replaceAll(/[\s'’_]/g, "")}.`;
  }
  if (/^[+-]?\d+(?:\.\d*)?e[+-]?\d+$/i.test(value)) {
    return "Scientific notation. Format the column as a plain number and write every digit.";
  }
  if (/^-/.test(value)) return "A transfer cannot be negative.";
  if (/^\+/.test(value)) return "Take the plus sign away.";
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(value))
    return "Take the thousands separators out; decimals stand after one point.";
  if (/^0\d/.test(value)) return `Take the zeros before it away: ${value.replace(/^0+(?=\d)/, "")}.`;
  if (/^\.\d+$/.test(value)) return `Write a zero before the point: 0${value}.`;
  if (/^\d+\.$/.test(value)) return `Take the point at the end away: ${value.slice(0, -1)}.`;
  if (/^\d+\.\d{13,}$/.test(value)) return "More than 12 decimals. Round it to 12.";
  if (/^\d{27,}/.test(value)) return "More than 26 digits before the point.";
  if (/^[^\d]*\d[\d.]*[^\d.]*$/.test(value)) return "Write the number alone, without unit or sign.";
  return "Not an amount. Write a plain number such as 10.5.";
}
