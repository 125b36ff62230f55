import { addressError, checksumAddress, otherChecksum } from "@/terms/address-text";
import { formatAmount } from "@/terms/output-text";
import { isPoints, POINTS_DECIMALS } from "@/terms/points";
import type { FieldCode } from "@/terms/problems";
import { formatUnits } from "@/terms/units";
import { CELL_CHARS_MAX, type CellDoubt } from "./decode-file";
import { INVISIBLE, marksOf, printable } from "./file-words";
import {
  bareNumber,
  cutDecimals,
  DIGITS_KEPT,
  isLong,
  type NumberFormat,
  plainNumbers,
  possibleAmounts,
  readAmount,
  readStoredNumber,
  withoutNoise,
} from "./number-format";

/** The server's codes for a transfer, and those that only a file can have. */
export const KIND_LABELS = {
  cells_do_not_fit: "Too many cells",
  required: "Missing value",
  invalid_address: "Invalid address",
  invalid_checksum: "Checksum mismatch",
  invalid_points: "Invalid amount",
  points_below_minimum: "Below minimum",
  duplicate_destination: "Duplicate",
  duplicate_reference: "Duplicate reference",
  invalid_value: "Invalid reference",
  destination_is_contract: "Contract itself",
  destination_is_zero: "Zero address",
  not_as_stored: "Not as stored",
  other_type: "Other point type",
} as const satisfies Partial<Record<FieldCode | FileCode, string>>;
/** What only a file can have. */
type FileCode = "cells_do_not_fit" | "not_as_stored" | "other_type";
export type RowCode = keyof typeof KIND_LABELS;
export type TransferCode = Exclude<RowCode, FileCode>;

interface ErrorFacts {
  field: "toAddress" | "points" | "reference";
  value: string;
  /** The smallest amount, with its unit. */
  least: string;
  /** Line of the first row with the same destination or reference. */
  firstLine: number;
}

/** Says what is wrong with a value that has no fix, and what to do. */
export const ERROR_MESSAGES: Record<TransferCode, (facts: ErrorFacts) => string> = {
  required: ({ field }) => (field === "points" ? "Enter an amount." : "Enter an address."),
  invalid_address: ({ value }) => addressMessage(value),
  invalid_checksum: () => CHECKSUM_MISMATCH,
  invalid_points: ({ value }) => pointsMessage(value),
  points_below_minimum: ({ least }) =>
    `Below the minimum of ${least} per transfer. Increase it, or remove the row.`,
  duplicate_destination: ({ field, firstLine }) =>
    field === "reference"
      ? `Line ${firstLine} pays the same address. ` +
        "Only rows without references are added up. Give each a reference of its own."
      : `Line ${firstLine} already pays this address. ` +
        "Combine both amounts in one row, or give each row a reference of its own.",
  duplicate_reference: ({ firstLine }) =>
    `Line ${firstLine} has the same reference. A contract pays each one once. ` +
    "If the column says something else, choose no reference column.",
  invalid_value: ({ value }) =>
    value.startsWith("'")
      ? "Begins with an apostrophe, as spreadsheets mark a text. Remove it."
      : "A reference has 1 to 64 printable ASCII characters.",
  destination_is_contract: () => "A contract cannot pay itself. Remove the row.",
  destination_is_zero: () => "Points sent to the zero address are lost. Remove the row.",
};

/** For a row with more cells than the table has columns. */
export const cellsMessage = (cells: number, columns: number) =>
  `Has ${cells} cells, but the file has ${columns} columns. Put values with a separator in quotes.`;

/** For an amount and numbers next to it. */
export const CUT_MESSAGE =
  "This may be one amount or several values. If it is one, put it in quotes. " +
  "If not, separate the cells by semicolons or tabs.";

/** Of a cell that may not store what was meant. */
export const DOUBT_MESSAGES = {
  digits:
    "A spreadsheet keeps 15 digits of a number, so the others may be lost. " +
    "Format the column as text and enter the amount again.",
  formula: "The formula was never calculated. Open the file in a spreadsheet, save it, and choose it again.",
} as const satisfies Record<CellDoubt, string>;

type Messages = readonly (readonly [of: RegExp, message: string])[];
const messageFor = (value: string, messages: Messages) => messages.find(([of]) => of.test(value))?.[1];

const CHECKSUM_MISMATCH = "Checksum mismatch: a character may be wrong. Copy the address from its source.";
const ADDRESS_MESSAGES: Messages = [
  [/^0x[0-9a-f]+(?:\.{2,}|…)[0-9a-f]+$/i, "The address is shortened. Copy the full address from its source."],
  [/\.[a-z]{2,}$/i, "Names are not resolved. Enter the address itself."],
  [/^0x[0-9a-f]{61,64}$/i, "An address of Starknet, Sui or Aptos, or a hash. Enter 0x and 40 hex digits."],
  [/^[0-9a-f]{64}$/i, "64 hex digits are a hash or a private key. If it is a key, do not use it any more."],
  [
    /^\d(?:[.,]\d+)?e\+?\d+$|^\d{41,}$/i,
    "A spreadsheet turned the address into a number. Format the column as text and paste them again.",
  ],
];

function addressMessage(value: string): string {
  if (findAddress(value)) return CHECKSUM_MISMATCH;
  const digits = /^0x([0-9a-f]*)$/i.exec(value)?.[1];
  return (
    messageFor(value, ADDRESS_MESSAGES) ??
    (digits === undefined
      ? "Not an address. Enter 0x followed by 40 hex digits."
      : `Has ${digits.length} hex digits instead of 40. Copy the full address again.`)
  );
}

const POINTS_MESSAGES: Messages = [
  [
    /^[+-]?\d+(?:\.\d*)?e[+-]?\d+$/,
    "Scientific notation with as many digits as awk, C and Octave keep. Enter the amount with all digits.",
  ],
  [
    /^[+-]?\d+(?:\.\d*)?e[+-]?\d+$/i,
    "Scientific notation may have lost digits. Format the column as a plain number with all digits.",
  ],
  [/^0x[0-9a-f]+$/i, "A hexadecimal number, often of base units. Convert it to a decimal number of points."],
  [/^#/, "The formula has an error. Fix it in the spreadsheet."],
  [/^=/, "This is the text of a formula, not an amount. Enter the amount."],
  [/^\d{4}-\d{2}-\d{2}|\(date\)$/, "This cell is a date. Format it as a number, or choose another column."],
  [/\(percentage\)$/, "This cell is a percentage. Format it as a number in the spreadsheet."],
  [/^[-–—]+$/, "A dash is no amount. Enter an amount, or remove the row."],
  [/^-/, "An amount cannot be negative."],
  [/\d…$/, "The amount is cut off, as csvlook shows it. Enter it with all digits."],
  [/^[^\d]*\d[\d.,]*\s*%$/, "A share is no amount. Enter the number of points."],
  [
    /^[^\d]*\d[\d.,]*\s*(?:[kmb]|mio|mn|mrd|bn|lakh|crore)\.?$/i,
    "The letters multiply the number. Enter it with all digits, such as 1500 for 1.5k.",
  ],
  [/^\+?\d[\d.,]*_[\d.,_]*$/, "Remove the underscores."],
  [/^\d+\.\d{13,}$/, "More than 12 decimals. Round the amount to 12 decimals."],
  [/^\d{27,}/, "More than 26 digits before the decimal point. Enter a smaller amount."],
  [/^[^\d]*\d[\d.]*[^\d.]*$/, "Enter the number only, without a unit or currency sign."],
];

function pointsMessage(value: string): string {
  const number = bareNumber(bareAmount(value)) ?? value;
  const [, whole, rest] = /^(\d{1,3}),(\d{3})$/.exec(number) ?? [];
  if (whole !== undefined)
    return (
      `The comma is ambiguous. Enter ${whole}${rest} for ${formatAmount(`${whole}${rest}`)}, ` +
      `or ${whole}.${rest} with a decimal point.`
    );
  const [plain = number] = numbersIn(number);
  return messageFor(plain, POINTS_MESSAGES) ?? "Not an amount. Enter a plain number, such as 10.5.";
}

/** What a fix changes; of several, the first of these. All of a kind are applied together, on request. */
export const FIX_KINDS = ["prefix", "checksum", "decimals", "exponent", "form"] as const;
export type FixKind = (typeof FIX_KINDS)[number];

export interface Fix {
  kind: FixKind;
  value: string;
  /** The chains or invisible marks that it removes. */
  names: string[];
  /** Of rounding: what the value loses, in 10⁻¹⁰⁰ points; below zero when it gains. */
  loss?: bigint;
}

const QUOTES = "['\"`´‘’‚‛“”„‟«»‹›＇＂]";
const CLOSING = `(?:${QUOTES}|[>)\\]])`;
/** The last marks are looked for only from the first of them, so that many do not take long. */
const AROUND = new RegExp(`^(?:${QUOTES}|[<([])+|(?<!${CLOSING})${CLOSING}+$`, "gu");
const AROUND_AMOUNT = new RegExp(`^${QUOTES}+|(?<!${QUOTES})${QUOTES}+$`, "gu");

/** Longer values are neither an address nor an amount, and would be slow to search. */
const bareOf = (value: string, around: RegExp) =>
  value.length > CELL_CHARS_MAX
    ? value
    : value.replaceAll(INVISIBLE, "").trim().replaceAll(around, "").trim();
/** Without invisible marks and without quotation marks around it. */
export const bareText = (value: string) => bareOf(value, AROUND);
export const bareAmount = (value: string) => bareOf(value, AROUND_AMOUNT);

const NETWORK = /((?:[a-z][\w.+-]*:(?:[\w.-]+:)*(?:\/\/)?(?:pay-)?)?)/.source;
const DIGITS = /((?:0x|xdc)?)([0-9a-f]{40})/.source;
const CHAIN = /((?:@[\w.-]+)?)/.source;
const QUERY = /(?:\?(?!.*0x)\S*)?/.source;
/** Words before an address that name no chain. */
const LABEL = /^(?:to|payee|recipient|receiver|address|addr|wallet|account|user|holder|owner|beneficiary):$/i;
/** EIP-3770 `eth:0x…`, CAIP-10 `eip155:1:0x…`, ERC-681 `ethereum:0x…@1` without a function, `xdc…`. */
const PREFIXED = new RegExp(`^${NETWORK}${DIGITS}${CHAIN}${QUERY}$`, "i");
const URL_HOST = /^(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?::\d+)?[/?#]/i;
const IN_URL = /0x([0-9a-f]{40})(?![0-9a-f])/gi;
/** Pages of something other than a wallet. */
const OTHER_PAGE = /\/(?:token|tx|block|contract|nft|collection)s?\//i;

/** The address that a value contains; null when it has none, or one whose checksum fits no chain. */
export function fixAddress(value: string): Fix | null {
  const found = findAddress(value);
  if (!found) return null;
  const { digits, names } = found;
  const address = `0x${digits}`;
  if (addressError(address) === null)
    return names.length > 0 ? { kind: "prefix", value: address, names } : form(value, address);
  const chain = otherChecksum(address);
  if (chain === null) return null;
  const kind = names.length > 0 ? "prefix" : "checksum";
  return { kind, value: checksumAddress(digits.toLowerCase()), names: [...names, chain] };
}

function findAddress(value: string): { digits: string; names: string[] } | null {
  const text = bareText(value).replaceAll(/\s/g, "");
  const host = URL_HOST.exec(text)?.[1];
  if (host !== undefined) {
    const [found, ...others] = OTHER_PAGE.test(text) ? [] : text.matchAll(IN_URL);
    return found && others.length === 0 ? { digits: found[1]!, names: [printable(host)] } : null;
  }
  const [, prefix = "", start = "", digits, chain = ""] = PREFIXED.exec(text) ?? [];
  if (digits === undefined) return null;
  const names = [prefix, /xdc/i.test(start) ? start : "", chain];
  return { digits, names: names.filter((name) => name && !LABEL.test(name)).map(printable) };
}

const form = (given: string, value: string): Fix => ({ kind: "form", value, names: marksOf(given) });

/**
 * The only amount that the value can be; null when there is none or more than one.
 * @param chosen the user's choice of format decides between two. A format only detected does not.
 * @param isNoisy whether digits behind the 15th are binary rounding noise, as far as they can be
 */
export function fixPoints(value: string, chosen: NumberFormat | null, isNoisy: boolean): Fix | null {
  const exact = withoutExponent(bareAmount(value));
  if (exact !== null)
    return isPoints(exact) ? { kind: "exponent", value: exact, names: [] } : roundDown(exact, isNoisy);
  const number = bareNumber(bareAmount(value));
  if (number === null) return null;
  const own = chosen && readAmount(number, chosen);
  if (own !== null) return form(value, own);
  const [amount, ...others] = possibleAmounts(number);
  if (amount !== undefined) return others.length === 0 ? form(value, amount) : null;
  return roundDown(number, isNoisy);
}

/**
 * Exactly the same number; null when it may have been rounded, by its form, or is none. Spreadsheets write
 * `1.85E+08`: a sign, two digits and few before them. C, awk and Octave write `1.85185e+08`, with six.
 */
function withoutExponent(value: string): string | null {
  const [, number = "", digits = "", exponent = ""] = EXPONENT.exec(value) ?? [];
  if (number === "" || isRounded(digits, exponent)) return null;
  return readStoredNumber(number, true)?.text ?? null;
}

const EXPONENT = /^\+?((\d+(?:\.\d+)?)(e[+-]?\d{1,3}))$/i;

/** By the digits before an exponent, which as many programs keep. A single one, as in `1E-18`, is a unit. */
function isRounded(digits: string, exponent: string): boolean {
  const count = digits.replace(/^0[.0]*/, "").replace(".", "").length;
  if (exponent.startsWith("e")) return /[+-]\d\d/.test(exponent) && (count === 6 || /\.\d{6}$/.test(digits));
  // Pascal writes three digits, Java and Python's Decimal as few as they can, PHP `1.0E+25`.
  if (!/[+-]\d\d$/.test(exponent) || /^\d\.0$/.test(digits) || count === 0) return false;
  if (count === 1 && exponent.includes("-")) return false;
  return count < 7 || count === DIGITS_KEPT;
}

/** What the value is in each format that fits: plain digits, without a unit or an exponent. */
function numbersIn(value: string): string[] {
  const bare = bareAmount(value);
  return plainNumbers(withoutExponent(bare) ?? bareNumber(bare) ?? bare);
}

/** Whether most amounts of many digits end in the noise of binary arithmetic. One may by chance. */
export function areNoisy(amounts: readonly string[]): boolean {
  const long = amounts
    .filter(({ length }) => length > DIGITS_KEPT)
    .flatMap((amount) => numbersIn(amount).find(isLong) ?? []);
  return long.filter((plain) => withoutNoise(plain) !== null).length * 2 > long.length;
}

/** With more than 12 decimals, the mark before them is the decimal mark in every format that fits. */
function roundDown(number: string, isNoisy: boolean): Fix | null {
  const plain = plainNumbers(number).find((plain) => (plain.split(".")[1] ?? "").length > POINTS_DECIMALS);
  return plain === undefined ? null : rounding(plain, cutDecimals((isNoisy && withoutNoise(plain)) || plain));
}

/** Null if it is no amount even so. */
const rounding = (given: string, value: string): Fix | null =>
  isPoints(value) ? { kind: "decimals", value, names: [], loss: lossUnits(given) - lossUnits(value) } : null;

/** Of a valid amount with the noise of binary arithmetic behind its digits; null when it has none. */
export function fixNoise(amount: string): Fix | null {
  const meant = withoutNoise(amount);
  return meant === null ? null : rounding(amount, meant);
}

/** What to look at before a fix is applied, and what it is. */
const FIX_MESSAGES: Record<FixKind, (fix: Fix) => string> = {
  prefix: ({ names, value }) => `Names a chain or a site: ${names.join(", ")}. ${checkedFirst(value)}`,
  checksum: ({ names, value }) =>
    `Valid as a checksum of ${names.join(", ")} under EIP-1191, but not under EIP-55. ${checkedFirst(value)}`,
  decimals: ({ value, loss = 0n }) =>
    loss < 0n
      ? `More than 12 decimals. Rounded up to ${value}, it gains ${lossText(-loss)}.`
      : `More than 12 decimals. Rounded down to ${value}, it loses ${lossText(loss)}.`,
  exponent: ({ value }) =>
    `Scientific notation, as R, pandas and Postgres write it: exactly ${value}, unless it was rounded.`,
  form: ({ names, value }) =>
    `${names.length > 0 ? `Contains invisible marks: ${names.join(", ")}. ` : ""}Write ${value} instead.`,
};
export const fixMessage = (fix: Fix) => FIX_MESSAGES[fix.kind](fix);
const checkedFirst = (value: string) =>
  `A contract wallet may exist on that chain only. Check it, then use ${value}.`;

/** More decimals than any amount that is read. */
const LOSS_DECIMALS = 100;
export const lossText = (loss: bigint) => formatUnits(loss, LOSS_DECIMALS);

export function lossUnits(decimal: string): bigint {
  const [whole = "", decimals = ""] = decimal.split(".");
  return BigInt(whole + decimals.padEnd(LOSS_DECIMALS, "0"));
}
