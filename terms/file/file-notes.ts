import { counted, formatCount } from "@/terms/output-text";
import type { Checked } from "./checked";
import type { CellFact, Table, TableRow } from "./decode-file";
import { bounded, listed } from "./file-words";
import { EXAMPLES_SHOWN, unitOf } from "./number-format";
import {
  addressGrade,
  amountGrade,
  isNamed,
  isNumber,
  type KnownColumns,
  namesReference,
  wordsOf,
} from "./rank-columns";

/** What the user should know about how a file was read. */
export const fileNotes = (
  table: Table,
  columns: KnownColumns,
  rows: readonly TableRow[],
): Checked["notes"] => [
  ...columnNotes(columns, table),
  ...tableNotes(table, columns.map.points),
  ...baseUnitNotes(rows, columns.map.points, columns.names[columns.map.points]!),
  ...referenceNotes(columns, rows),
];

/** Which columns were read, and which others have addresses or numbers. */
function columnNotes({ header, names, map, found, total }: KnownColumns, table: Table): Checked["notes"] {
  const { toAddress, points, reference } = map;
  const isUnnamed = (column: number) => names[column] === `Column ${column + 1}`;
  const shown = (column: number) => (isUnnamed(column) ? `column ${column + 1}` : `“${names[column]}”`);
  const numbered = (column: number) =>
    isUnnamed(column) ? shown(column) : `${shown(column)} (column ${column + 1})`;
  const isOnlyName = names.filter((name) => name === names[toAddress]).length === 1;
  const address = isOnlyName ? shown(toAddress) : numbered(toAddress);
  const notes: Checked["notes"] = [`Addresses from ${address}, amounts from ${numbered(points)}.`];
  if (total?.column === points)
    notes.push(`In every row, ${shown(points)} is the sum of ${bounded(total.parts.map(numbered))}.`);
  for (const kind of ["numbers", "addresses"] as const) {
    const unread = found[kind].filter((column) => ![toAddress, points, reference].includes(column));
    if (unread.length > 0) notes.push(`Not read: the ${kind} in ${bounded(unread.map(numbered))}.`);
  }
  const unfilled = names.flatMap((name, column) =>
    isNamed(amountGrade(name)) && !isTokenName(name) && !found.numbers.includes(column)
      ? [numbered(column)]
      : [],
  );
  if (unfilled.length > 0 && !isNamed(amountGrade(names[points]!)))
    notes.push(`There are no numbers in ${bounded(unfilled)}.`);
  const isSaid = isNamed(addressGrade(names[toAddress]!)) || isNamed(amountGrade(names[points]!));
  if (header && !table.header && !isSaid)
    notes.push(`Line ${table.rows[0]!.line} is read as the heading, not as a transfer.`);
  return notes;
}

const TOKEN_NAME =
  /\b(?:tokens?|currency|asset|symbol|ticker|coin|unit|denom)(?: (?:address|contract|symbol|name|type))?$/;
const isTokenName = (name: string) => TOKEN_NAME.test(wordsOf(name));
/** As tokens are called where no name says what a column has, or only that it is a type. */
const TICKER = /^\$?[A-Z][A-Z0-9]{1,9}$/;

/**
 * Points have one type, so amounts of several tokens would be added up.
 * @param isGuess of the columns that only look as if they had tokens, or of those that say so
 */
export function tokenNotes(
  { header, names, found, map }: KnownColumns,
  rows: readonly TableRow[],
  isGuess: boolean,
): string[] {
  const tokensOf = (name: string, column: number) => {
    const cells = rows.map(({ cells }) => cells[column] ?? "");
    if (column === map.points) return isGuess ? [] : cells.map(unitOf).filter((unit) => unit !== "");
    if (found.numbers.includes(column) || column === map.toAddress) return [];
    const isOpen = !header || /\b(?:type|kind|in)$/.test(wordsOf(name));
    const isToken = isGuess
      ? !isTokenName(name) && isOpen && cells.every((cell) => TICKER.test(cell))
      : isTokenName(name);
    return isToken ? cells.map((cell) => cell || "none") : [];
  };
  return names.flatMap((name, column) => {
    const known = tokensOf(name, column).map(
      (token) => [token.toLowerCase().replace(/s$/, ""), token] as const,
    );
    const tokens = [...new Map(known).values()];
    const note = `Amounts of several kinds (“${name}”) are added up as one point type: ${listed(tokens)}.`;
    return tokens.length < 2 ? [] : [note];
  });
}

const DONE =
  "(?:claimed|paid|sent|distributed|disbursed|redeemed|withdrawn|transferred|settled|credited|airdropped|" +
  "processed|refunded|bezahlt|ausgezahlt|pagad[oa])";
/** Not what is still to be done, nor what was done with something else. */
const DONE_ITSELF =
  `(?<!\\b(?:not|never|next|be)(?: yet| been)? )(?<!\\b(?:e?mail|message|notification|gas|fees?|kyc) )` +
  `\\b${DONE}(?: out| in full)?`;
const DONE_NAME = new RegExp(`${DONE_ITSELF}(?: y n| yes no)?$`);
const DONE_TIME = new RegExp(`${DONE_ITSELF} (?:at|on|date|time)$`);
const BARE_NAME = new RegExp(`^(?:(?:is|was|has|been|already) )*${DONE}$`);
const DONE_STATUS = new RegExp(`^(?:already )?${DONE}\\b`, "i");
/** Said of a task, it may be why a row is to be paid. */
const ENDED_STATUS = /^(?:completed?|success(?:ful)?|done)$/i;
const OF_PAYMENT = /\b(?:pay|payment|payout|claim|transfer|airdrop|tx|transaction)\b/;

const LEFT_OUT =
  "(?:excluded?|banned|blocked|blacklisted|sybils?|bots?|disqualified|not eligible|ineligible|rejected|" +
  "denied|declined|invalid|cancell?ed|reversed|revoked|void(?:ed)?|deleted|duplicates?|suspended|" +
  "flagged|sanctioned|fraud(?:ulent)?|opted out|on hold|not approved|(?<=^|\\bis )tests?)";
const LEFT_OUT_ITSELF = `(?<!\\b(?:not|not an?|never|non|no|anti) )\\b${LEFT_OUT}`;
const LEFT_OUT_NAME = new RegExp(`${LEFT_OUT_ITSELF}(?: y n| yes no)?$`);
const LEFT_OUT_TIME = new RegExp(`${LEFT_OUT_ITSELF} (?:at|on|date|time)$`);
const LEFT_OUT_STATUS = new RegExp(`^${LEFT_OUT}\\b`, "i");
/** Of an order or a match, it is why a refund is paid. */
const CALLED_OFF = /\b(?:cancell?ed|void(?:ed)?)\b/i;
/** Not whether the amount includes a tax, or may win something else. */
const OWED_NAME = new RegExp(
  "(?<!\\b(?:not|tax|vat|fees?|bonus|raffle|nft|e?mail|phone|discord|twitter) )" +
    "\\b(?:eligible|eligibility|included?|qualified|qualifies|valid|approved)(?: y n| yes no)?$",
);

const SIGN_NAME = /\b(?:type|kind|direction|side|action|operation|entry)$|^(?:dr cr|cr dr|in out)$/;
const MINUS = new RegExp(
  "^(?:debit|dr|out|outgoing|outbound|outflow|withdraw(?:als?)?|spend|spent|burn|burned|redeem|redeemed|" +
    "redemption|deduct|deducted|deduction|expired|penalty|clawback|reversal|minus)$",
  "i",
);

const YES = new RegExp(
  "^(?:true|t|yes|y|ja|oui|s[ií]|sim|1(?:\\.0+)?|x|done|[✓✔☑✅]\uFE0F?|0x[0-9a-f]{64}|" +
    "\\d{1,4}[-/.]\\d{1,2}[-/.]\\d.*)$",
  "i",
);
const NO = /^(?:false|f|no|n|nein|non|n[aã]o|0(?:\.0+)?|[✗✘❌]\uFE0F?)$/i;
/** Also the first times of clocks. */
const NO_TIME = /^(?:|-|0|false|f|no|n|none|null|n\/a|pending|(?:0001|1970)-01-01.*)$/i;

const isTime = (words: string) => DONE_TIME.test(words) || LEFT_OUT_TIME.test(words);

/** Which cells of a column speak against paying their rows. Null for columns of other things. */
function speaksAgainst(words: string, isPaid: boolean): ((cell: string) => boolean) | null {
  const isAny =
    (...patterns: RegExp[]) =>
    (cell: string) =>
      patterns.some((pattern) => pattern.test(cell));
  if (isTime(words)) return (cell) => !NO_TIME.test(cell);
  if ((isPaid ? BARE_NAME : DONE_NAME).test(words)) return isAny(DONE_STATUS, YES);
  if (isPaid) return null;
  if (LEFT_OUT_NAME.test(words)) return isAny(LEFT_OUT_STATUS, YES);
  if (OWED_NAME.test(words)) return isAny(LEFT_OUT_STATUS, NO);
  if (SIGN_NAME.test(words)) return isAny(MINUS);
  if (!/\b(?:status|state|verdict|decision|estado)$/.test(words)) return null;
  return isAny(DONE_STATUS, LEFT_OUT_STATUS, ...(OF_PAYMENT.test(words) ? [ENDED_STATUS] : []));
}

/** A list may keep rows that are paid already, of people who are left out, or of what was taken from them. */
export function rowDoubts({ names, map }: KnownColumns, rows: readonly TableRow[]): string[] {
  const isRefund = /\b(?:refunds?|compensation)\b/.test(wordsOf(names[map.points]!));
  const isReason = (text: string) => isRefund && CALLED_OFF.test(text);
  return names.flatMap((name, column) => {
    const words = wordsOf(name);
    const isAgainst = speaksAgainst(words, column === map.points);
    if (!isAgainst || isReason(words)) return [];
    const cells = rows.map(({ cells }) => cells[column] ?? "");
    // Many rows have few values.
    const values = [...new Set(cells)];
    // Amounts.
    if (!isTime(words) && values.some((cell) => isNumber(cell) && !/^[01](?:\.0+)?$/.test(cell))) return [];
    const found = new Set(values.filter((cell) => isAgainst(cell) && !isReason(cell)));
    if (found.size === 0) return [];
    const foundCount = cells.filter((cell) => found.has(cell)).length;
    const count = `${formatCount(foundCount)} of ${counted(rows.length, "row", "rows")}`;
    return [`“${name}” says ${listed([...found], EXAMPLES_SHOWN)} for ${count}, which would be paid too.`];
  });
}

/** What follows “amount is” or “amounts are”, before the first of them. */
const FACTS: Record<CellFact, string> = {
  formula: "the result of a formula, as last saved",
  cleaned: "stored with more than the 15 digits that a spreadsheet keeps, and read as shown there: ",
  rounded: "shown rounded in the spreadsheet, and read as stored: ",
  otherwise: "shown as something else in the spreadsheet, and read as stored: ",
};

function tableNotes({ notes = [], titleRows = 0, facts }: Table, points: number): string[] {
  const title = `${counted(titleRows, "title row", "title rows")} above the table skipped.`;
  const found = Object.entries(FACTS).flatMap(([fact, what]) => {
    const { count, example } = facts?.[points]?.[fact as CellFact] ?? { count: 0, example: "" };
    return count > 0 ? [`${counted(count, "amount is", "amounts are")} ${what}${example}.`] : [];
  });
  return [...notes, ...(titleRows > 0 ? [title] : []), ...found];
}

/** A whole number of points in the units of a token with 6 decimals, or one that no payout reaches. */
const BASE_UNITS = /^\d+0{6}$|^\d{16,}$/;

/** Of most rows: a list in base units may have some dust. */
function baseUnitNotes(rows: readonly TableRow[], points: number, name: string): string[] {
  if (/\b(?:wei|gwei|raw|sats|satoshis|lamports)\b/i.test(name.replaceAll("_", " ")))
    return [`“${name}” says base units. If the amounts are, convert them to points first.`];
  const count = rows.filter(({ cells }) => BASE_UNITS.test(cells[points] ?? "")).length;
  const which = count === rows.length ? "Every amount is a whole number" : "Most amounts are whole numbers";
  const note =
    "with many digits or zeros. If they are in base units, such as wei, convert them to points first.";
  return count * 2 <= rows.length ? [] : [`${which} ${note}`];
}

function referenceNotes({ header, names, map }: KnownColumns, rows: readonly TableRow[]): string[] {
  const at = map.reference ?? (header ? names.findIndex(namesReference) : -1);
  const count = rows.filter(({ cells }) => cells[at]).length;
  if (count === 0) return [];
  return [
    map.reference === null
      ? `The column “${names[at]}” is not sent, so it does not keep these rows from being paid again.`
      : `${counted(count, "row has a reference", "rows have references")}, which the contract pays once.`,
  ];
}
