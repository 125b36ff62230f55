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
  unaccented,
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
  const isUnfilled = (name: string, column: number) =>
    isNamed(amountGrade(name)) && !isTokenName(name) && !found.numbers.includes(column);
  const unfilled = names.flatMap((name, column) => (isUnfilled(name, column) ? [numbered(column)] : []));
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
  return names.flatMap((name, column) => {
    const isAmount = column === map.points;
    const isSaid = isAmount || isTokenName(name);
    const isOpen = !header || /\b(?:type|kind|in)$/.test(wordsOf(name));
    const isOther = !isAmount && (found.numbers.includes(column) || column === map.toAddress);
    if (isOther || isSaid === isGuess || !(isSaid || isOpen)) return [];
    const cells = rows.map(({ cells }) => cells[column] ?? "");
    if (isGuess && !cells.every((cell) => TICKER.test(cell))) return [];
    const tokens = isAmount ? cells.map(unitOf).filter(Boolean) : cells.map((cell) => cell || "none");
    const kinds = new Map(tokens.map((token) => [token.toLowerCase().replace(/s$/, ""), token]));
    const note = `Amounts of several kinds (“${name}”) are added up as one point type: `;
    return kinds.size < 2 ? [] : [`${note}${listed([...kinds.values()])}.`];
  });
}

// What lists say of rows in English, German, French, Spanish and Portuguese, as `wordsOf` returns it. Sorted.

const DONE =
  "(?:airdropped|claimed|credited|disbursed|distributed|paid|processed|redeemed|refunded|sent|settled|" +
  "transferred|withdrawn|(?:aus|be)?(?:ge)?zahlt|gesendet|uberwiesen|(?:distribue|envoye|paye|verse)e?s?|" +
  "(?:abonad|distribuid|enviad|pag|pagad|transferid)[oa]s?)";
const OWED =
  "(?:accepted|allow(?:ed|list(?:ed)?)|approved|eligibility|eligible|included?|pay|qualified|qualifies|" +
  "send|valid|whitelist(?:ed)?|berechtigt|gultig|qualifiziert|(?:accepte|inclus|valide)e?s?|" +
  "(?:aprobad|aprovad|apt|incluid|valid)[oa]s?|elegible|elegivel)";
const NOT = "(?:anti|nao|never|nicht|no|non|not|pas)";
const LEFT_OUT =
  "(?:ban(?:ned)?|black ?list(?:ed)?|blocked|bots?|cancell?ed|declined|deleted?|denied|" +
  "disqualifi(?:cation|ed)|duplicates?|exclude[ds]?(?: from .+)?|exclusion|flagged|fraud(?:ulent)?|frozen|" +
  "(?:on )?hold|ignored?|ineligible|invalid|ofac|opt(?:ed)? out|reject(?:ed|ion)|removed?|reversed|revoked|" +
  "sanctioned|skip(?:ped)?|suspen(?:ded|sion)|suspicious|sybils?|(?<=^|\\bis )tests?|void(?:ed)?|withheld|" +
  "abgelehnt|ausgeschlossen|gesperrt|geloscht|storniert|ungultig|" +
  "(?:annule|banni|bloque|exclu|invalide|refuse|rejete|supprime|suspendu)e?s?|(?:anulad|banid|bloquead|" +
  `cancelad|duplicad|excluid|invalid|rechazad|recusad|rejeitad|suspendid|suspens)[oa]s?|${NOT} ${OWED})`;

/** What is written for no reason and no time, also the first times of clocks. */
const NO_TEXT = /^(?:|-|keine?r?|none|null|n\/a|pending|(?:0001|1970)-01-01.*)$/i;
const NO = /^(?:f|false|falsch|falso|faux|n|nao|nein|no|non|0(?:\.0+)?|[✗✘❌])$/i;
const YES =
  /^(?:done|ja?|oui|si?m?|t|true|verd.+ro|vrai|wahr|x|y|yes|1(?:\.0+)?|[✓✔☑✅]|0x\w{64}|\d+[-/.]\d+[-/.].*)$/i;

/** How a column is called and what a status begins with. `before` would make it another thing's. */
const patternsOf = (words: string, before: string) => {
  const own = `(?<!\\b${NOT}(?: an?| been| yet)* )(?<!\\b(?:${before}) )\\b${words}`;
  return {
    name: new RegExp(`${own}(?: out| in full)?(?: y n| yes no)?$`),
    time: new RegExp(`${own}(?: out)?(?: reason|(?<!hold|tests?) (?:am|at|date|el|em|le|on|time|tx|until))$`),
    status: new RegExp(`^(?:already )?${words}\\b(?! (?:member|plan|tier|user))`),
  };
};
/** Not what is still to be done, nor what was done with something else. */
const PAID = patternsOf(DONE, "be|(?:data|fecha)(?: de)?|e?mail|fees?|gas|kyc|message|next|notification");
const UNPAID = patternsOf(LEFT_OUT, "can|multi");
/** Not whether the amount includes a tax, or may win something else. */
const RIGHT = patternsOf(OWED, "bonus|discord|e?mail|fees?|nft|phone|raffle|tax|terms|twitter|vat");
const PAID_TX = /\b(?:airdrop|claim|payment|payout|transfer) (?:hash|transaction|txn?(?: hash| id)?)$/;
const BARE_NAME = new RegExp(`^(?:(?:is|was|has|been|already) )*${DONE}$`);
const STATUS_NAME = /\b(?:decision|result|state|status|verdict|ergebnis|etat|statut|estado|situacao)$/;
/** Said of a task, it may be why a row is to be paid. */
const ENDED = /^(?:completed?|done|success(?:ful)?|erledigt|termine|completad[oa]|concluid[oa])$/;
const OF_PAYMENT = /\b(?:airdrop|claim|pay(?:ment|out)?|transaction|transfer|tx|zahlung|paiement|pago)\b/;
/** Of an order or a match, it is why a refund is paid. */
const CALLED_OFF = /\b(?:annul|anulad|cancel|storniert|void)/;

/** Also a name without letters, such as `+/-`, and a column without one. */
const SIGN_NAME = new RegExp(
  "\\b(?:action|direction|entry|event|flow|kind|movement|operation|side|sign|type|buchungsart|sens|tipo)$|" +
    "^(?:(?:dr|debit) (?:cr|credit)|(?:cr|credit) (?:dr|debit)|in out|(?:column)?)$",
);
const PLUS = /^(?:points? )?(?:cr|credito?|deposit|earn(?:ed)?|in(?:bound|coming|flow)?|gutschrift)$/;
const MINUS = new RegExp(
  "^(?:points? )?(?:clawback|debito?|deduct(?:ed|ion)?|dr|expired|minus|out(?:bound|flow|going)?|penalty|" +
    "redeem(?:ed)?|redemption|reversal|revoked?|subtract(?:ed)?|abzug|belastung|sortie|sal?ida)$",
);
/** Also tasks, for which people are paid, unless other rows are of what they earned or lost. */
const SPENT = /^(?:burn|burned|spend|spent|withdraw|withdrawals?)$/;

type Finding = (cells: readonly string[]) => string[];
const isQuantity = (cell: string) => isNumber(cell) && !/^-?[01](?:\.0+)?$/.test(cell);
/** Of amounts, none. */
const having =
  (answer: RegExp | null, ...said: readonly RegExp[]): Finding =>
  (cells) =>
    cells.some(isQuantity)
      ? []
      : cells.filter((cell) => answer?.test(unaccented(cell)) || said.some((of) => of.test(wordsOf(cell))));

/** A dash is a sign beside a plus. Elsewhere, it is nothing. */
const takenAway: Finding = (cells) => {
  const sign = cells.some((cell) => /^\+1?$/.test(cell)) ? /^[-−–]1?$/ : /^-1$/;
  const isBook = having(sign, PLUS, MINUS)(cells).length > 0 || /^,?burn,mint$/i.test(`${cells.toSorted()}`);
  return isBook ? having(sign, MINUS, SPENT)(cells) : [];
};

/** Finds the cells of a column that speak against paying their rows. Null for columns of other things. */
function findingOf(words: string, isPaid: boolean): Finding | null {
  if (PAID.time.test(words) || UNPAID.time.test(words) || PAID_TX.test(words))
    return (cells) => cells.filter((cell) => !NO_TEXT.test(cell) && !NO.test(cell));
  if ((isPaid ? BARE_NAME : PAID.name).test(words)) return having(YES, PAID.status);
  if (isPaid) return null;
  if (UNPAID.name.test(words)) return having(YES, UNPAID.status);
  if (RIGHT.name.test(words)) return having(NO, UNPAID.status);
  if (SIGN_NAME.test(words)) return takenAway;
  if (!STATUS_NAME.test(words)) return null;
  return having(null, PAID.status, UNPAID.status, ...(OF_PAYMENT.test(words) ? [ENDED] : []));
}

/** A list may keep rows that are paid already, of people who are left out, or of what was taken from them. */
export function rowDoubts({ names, map }: KnownColumns, rows: readonly TableRow[]): string[] {
  const isRefund = /\b(?:refunds?|compensation)\b/.test(wordsOf(names[map.points]!));
  const isReason = (text: string) => isRefund && CALLED_OFF.test(wordsOf(text));
  return names.flatMap((name, column) => {
    const find = column === map.toAddress ? null : findingOf(wordsOf(name), column === map.points);
    if (!find || isReason(name)) return [];
    const cells = rows.map(({ cells }) => cells[column] ?? "");
    // Many rows have few values.
    const found = new Set(find([...new Set(cells)]).filter((cell) => !isReason(cell)));
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

function tableNotes({ notes = [], titles = [], comments = [], facts }: Table, points: number): string[] {
  const skipped = (one: string, of: readonly string[]) =>
    of.length > 0 ? [`${counted(of.length, one, `${one}s`)} skipped: “${listed(of, EXAMPLES_SHOWN)}”.`] : [];
  const found = Object.entries(FACTS).flatMap(([fact, what]) => {
    const { count, example } = facts?.[points]?.[fact as CellFact] ?? { count: 0, example: "" };
    return count > 0 ? [`${counted(count, "amount is", "amounts are")} ${what}${example}.`] : [];
  });
  return [...notes, ...skipped("comment line", comments), ...skipped("title row", titles), ...found];
}

/** A whole number of points in the units of a token with 6 decimals, or one that no payout reaches. */
const BASE_UNITS = /^\d+0{6}$|^\d{16,}$/;

/** Of most rows: a list in base units may have some dust. */
function baseUnitNotes(rows: readonly TableRow[], points: number, name: string): string[] {
  if (/\b(?:gwei|k$|lamports|millions?|raw|satoshis|sats|thousands?|wei)\b/.test(wordsOf(name)))
    return [`“${name}” may be another unit than points. If it is, convert the amounts first.`];
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
