import { counted, formatCount } from "@/terms/output-text";
import type { Checked } from "./checked";
import type { CellFact, Table, TableRow } from "./decode-file";
import { bounded, listed, printable } from "./file-words";
import { EXAMPLES_SHOWN, unitOf } from "./number-format";
import {
  addressGrade,
  amountGrade,
  isHeld,
  isNamed,
  isNumber,
  type KnownColumns,
  namesReference,
  unaccented,
  wordsOf,
} from "./rank-columns";

/** Which columns were read, and which others have addresses or numbers. */
export function columnNotes(columns: KnownColumns, table: Table): Checked["notes"] {
  const { header, names, found, total } = columns;
  const { toAddress, points, reference } = columns.map;
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
  /\b(?:tokens?|currency|asset|symbol|ticker|coin|units?|denom)(?: (?:address|contract|symbol|name|type))?$/;
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
  "(?:accepted|allow(?:ed|list(?:ed)?)|approved|claimable|eligibility|eligible|human|included?|" +
  "kyc(?: (?:approved|passed|result|status|verified))?|pay|payable|qualified|qualifies|selected|send|valid|" +
  "whitelist(?:ed)?|winners?|berechtigt|gultig|qualifiziert|(?:accepte|inclus|valide)e?s?|" +
  "(?:aprobad|aprovad|apt|incluid|valid)[oa]s?|elegible|elegivel)";
const NOT = "(?:anti|nao|never|nicht|no|non|not|pas)";
const LEFT_OUT =
  "(?:ban(?:ned)?|black ?list(?:ed)?|blocked|bots?|cancell?ed|declined|deleted?|denied|disputed|" +
  "disqualifi(?:cation|ed)|duplicates?|exclude[ds]?(?: from .+)?|exclusion|expired|flagged|forfeit(?:ed)?|" +
  "fraud(?:ulent)?|frozen|(?:on )?hold|ignored?|ineligible|invalid|kyc fail(?:ed|ure)?|moved|ofac|" +
  "opt(?:ed)? out|reject(?:ed|ion)|removed?|replaced|reversed|revoked|sanctioned|skip(?:ped)?|superseded|" +
  "suspen(?:ded|sion)|suspicious|sybils?|terminated|(?<=^|\\bis )tests?|under review|void(?:ed)?|withheld|" +
  "abgelehnt|ausgeschlossen|ausschluss|gesperrt|geloscht|storniert|ungultig|exclusao|rechazo|rejet|" +
  "(?:annule|banni|bloque|exclu|invalide|refuse|rejete|supprime|suspendu)e?s?|(?:anulad|banid|bloquead|" +
  `cancelad|duplicad|excluid|invalid|rechazad|recusad|rejeitad|suspendid|suspens)[oa]s?|${NOT} ${OWED})`;

/** What is written for no reason and no time, also the first times of clocks. */
const NO_TEXT = /^(?:|-|keine?r?|none|null|n\/a|pending|(?:0001|1970)-01-01.*)$/i;
const NO = /^(?:f|false|falsch|falso|faux|n|nao|nein|no|non|0(?:\.0+)?|[✗✘❌])$/i;
const YES =
  /^(?:done|ja?|oui|si?m?|true|verd.+o|vrai|wahr|yes|да|1(?:\.0+)?|[txy✓✔☑✅是예]|0x\w{9,}|\d+[-/.]\d+\D.*)$/i;
/** What no row says that is to be paid, however its column is called, also in seven other languages. */
const NEVER_PAID = new RegExp(
  "^(?:do(?: not|n['’]?t) (?:pay|send)|nicht zahlen|na?o pagar|(?:uit)?betaald$|odendi|(?:wy|za)płacon|" +
    "(?:вы|о)плачен|исключен|отклонен|已(?:支付|付款|发放|發放|领取|領取|取消|拒绝)|无效|女巫|黑名单|重复|" +
    "(?:支払い?|送金|付与|配布)済|対象外|除外|(?:지급|지불|송금)\\s?완료|(?:제외|중복|취소)(?:됨)?$)",
  "i",
);

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
/** Why a row is left out, and for which other one. */
const WHY = new RegExp(
  `\\b(?:moti\\w+|reason) .*\\b${LEFT_OUT}$|\\b${LEFT_OUT} (?:by|of|to)$|(?:schluss|sperr)grund$`,
);
const BARE_NAME = new RegExp(`^(?:(?:is|was|has|been|already) )*${DONE}$`);
const STATUS_NAME =
  /\b(?:decision|payment|payout|result|state|status|verdict|ergebnis|etat|statut|estado|situacao)$/;
/** Said of a task, it may be why a row is to be paid. */
const ENDED = /^(?:completed?|done|success(?:ful)?|erledigt|termine|completad[oa]|concluid[oa])$/;
const OF_PAYMENT = /\b(?:airdrop|claim|pay(?:ment|out)?|transaction|transfer|tx|zahlung|paiement|pago)\b/;
/** Of an order or a match, it is why a refund is paid. */
const CALLED_OFF = /\b(?:annul|anulad|cancel|storniert|void)/;

/** Also a name without letters, such as `+/-`, and a column without one. */
const SIGN_NAME =
  /^(?:column)?$|\b(?:action|direction|entry|event|flow|kind|movement|operation|side|sign|type|sens|tipo)$/;
/** As books call it, where a letter is enough. */
const SIDE_NAME =
  /^(?:(?:c|cdt|cr|credit) (?:d|dbt|dr|debit)|(?:d|dr|debit) (?:cr?|credit)|buchungsart|in out|soll haben)\b/;
const PLUS = /^(?:points? )?(?:cr|credito?|deposit|earn(?:ed)?|in(?:bound|coming|crement|flow)?|gutschrift)$/;
const MINUS = new RegExp(
  "^(?:points? )?(?:clawback|debito?|decrement|deduct(?:ed|ion)?|dr|expired|minus|out(?:bound|flow|going)?|" +
    "penalty|redeem(?:ed)?|redemption|reversal|revoked?|subtract(?:ed)?|abzug|belastung|sortie|sal?ida)$",
);
/** Also tasks, for which people are paid, unless other rows are of what they earned or lost. */
const SPENT = /^(?:burn|burned|spend|spent|withdraw|withdrawals?)$/;

type Finding = (cells: readonly string[]) => string[];
const isQuantity = (cell: string) => isNumber(cell) && !/^-?[01](?:\.0+)?$/.test(cell);
const either = (...of: readonly RegExp[]) => new RegExp(of.map(({ source }) => source).join("|"));
/** Of amounts, none. */
const having =
  (answer: RegExp | null, said?: RegExp): Finding =>
  (cells) =>
    cells.some(isQuantity)
      ? []
      : cells.filter((cell) => answer?.test(unaccented(cell)) || said?.test(wordsOf(cell)));

/** A dash is a sign beside a plus. Elsewhere, it is nothing. */
const takenAway: Finding = (cells) => {
  const sign = cells.some((cell) => /^\+1?$/.test(cell)) ? /^[-−–]1?$/ : /^-1$/;
  const isSupply = cells.every((cell) => /^(?:burn|mint)?$/i.test(cell)) && /mint/i.test(cells.join());
  const isBook = isSupply || having(sign, either(PLUS, MINUS))(cells).length > 0;
  return isBook ? having(sign, either(MINUS, SPENT))(cells) : [];
};

/** Finds the cells of a column that speak against paying their rows. */
function findingOf(name: string, isPaid: boolean, isHistory: boolean): Finding {
  const words = wordsOf(name);
  // Where some rows have no transaction, those of the others may be payments.
  if (/^(?:tx|txn|transaction)(?: ?(?:hash|id))?$/.test(words))
    return (cells) => (cells.includes("") ? cells.filter((cell) => /\w{40}/.test(cell)) : []);
  if ([PAID.time, UNPAID.time, PAID_TX, WHY].some((of) => of.test(words)))
    return (cells) => cells.filter((cell) => !NO_TEXT.test(cell) && !NO.test(cell));
  if ((isPaid ? BARE_NAME : PAID.name).test(words)) return having(YES, PAID.status);
  if (isPaid) return () => [];
  if (NEVER_PAID.test(unaccented(name))) return having(YES);
  if (UNPAID.name.test(words)) return having(YES, UNPAID.status);
  if (RIGHT.name.test(words)) return having(NO, either(UNPAID.status, /^(?:fail|not\b|unverified)/));
  if (SIDE_NAME.test(words))
    return (cells) => [...having(null, either(MINUS, /^(?:d|dbit|s|soll)$/))(cells), ...takenAway(cells)];
  if (SIGN_NAME.test(words)) return takenAway;
  if (!STATUS_NAME.test(words)) return () => [];
  const isPayment = isHistory || OF_PAYMENT.test(words);
  return having(null, either(PAID.status, UNPAID.status, ...(isPayment ? [ENDED] : [])));
}

/** A list may keep rows that are paid already, of people who are left out, or of what was taken from them. */
export function rowDoubts({ names, map }: KnownColumns, rows: readonly TableRow[]): string[] {
  const isRefund = /\b(?:refunds?|compensation)\b/.test(wordsOf(names[map.points]!));
  const isReason = (text: string) => isRefund && CALLED_OFF.test(wordsOf(text));
  // As only a list of payments has.
  const isHistory = names.some((name) => /\b(?:fees?|iban|withdrawal)\b/.test(wordsOf(name)));
  return names.flatMap((name, column) => {
    if (column === map.toAddress || isReason(name)) return [];
    const cells = rows.map(({ cells }) => cells[column] ?? "");
    // Many rows have few values.
    const values = [...new Set(cells)];
    const said = findingOf(name, column === map.points, isHistory)(values);
    const found = new Set([...said, ...having(NEVER_PAID)(values)].filter((cell) => !isReason(cell)));
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

export function tableNotes({ notes = [], titles = [], comments = [], facts }: Table, at: number): string[] {
  const skipped = (one: string, of: readonly string[]) =>
    of.length > 0 ? [`${counted(of.length, one, `${one}s`)} skipped: “${listed(of, EXAMPLES_SHOWN)}”.`] : [];
  const found = Object.entries(FACTS).flatMap(([fact, what]) => {
    const { count, example } = facts?.[at]?.[fact as CellFact] ?? { count: 0, example: "" };
    return count > 0 ? [`${counted(count, "amount is", "amounts are")} ${what}${example}.`] : [];
  });
  return [...notes, ...skipped("comment line", comments), ...skipped("title row", titles), ...found];
}

/** Another unit in the name of amounts or beside them, also as `(M)`, `'000` and `（万）`. */
const UNIT = new RegExp(
  "^m$|\\b(?:dollars?|eur|euros?|gwei|k$|lamports|millions?|mio|raw|satoshis|sats|thousands?|tsd|usd|" +
    "wei)\\b|['’(]000|\\(m\\w?\\)|[(（][千万]",
  "i",
);

/** A whole number of points in the units of a token with 6 decimals, or one that no payout reaches. */
const BASE_UNITS = /^\d+0{6}$|^\d{16,}$/;

/** Amounts that may not be points, or not what is owed. */
export function amountDoubts(table: Table, columns: KnownColumns, rows: readonly TableRow[]): string[] {
  const { points } = columns.map;
  const name = columns.names[points]!;
  const title = table.titles?.find((text) => /\bin (?:k|millions|thousands|wei)\b/i.test(text));
  const hasDecimals = columns.names.some((other) => /\bdecimals$|^token decimal$/.test(wordsOf(other)));
  const isBase = hasDecimals && rows.every(({ cells }) => /^\d*$/.test(cells[points] ?? ""));
  // Other units in the rows below are of several kinds, which is said.
  const cells = columns.names.map((other, at) => (isTokenName(other) && rows[0]?.cells[at]) || "");
  const beside = cells.find((cell, at) => at !== points && UNIT.test(cell));
  const said = isBase || UNIT.test(`${name} ${wordsOf(name)}`) ? name : title;
  const unit = said ?? beside;
  const doubts: string[] = [];
  // Beside other amounts, there was a question. Shares of a supply are of what people have.
  const isOnly = String(columns.candidates.points) === String(points);
  if ((isOnly && isHeld(name)) || columns.names.some((other) => /\bsupply\b/.test(wordsOf(other))))
    doubts.push(`“${name}” may be what people have, did or got before, not what they are to be paid.`);
  if (unit !== undefined)
    doubts.push(`“${printable(unit)}” may be another unit than points. If so, convert the amounts first.`);
  // Of most rows: a list in base units may have some dust.
  const count = rows.filter(({ cells }) => BASE_UNITS.test(cells[points] ?? "")).length;
  const which = count === rows.length ? "Every amount is a whole number" : "Most amounts are whole numbers";
  const note = "with many digits or zeros. If they are in base units (wei), convert them to points first.";
  return said !== undefined || count * 2 <= rows.length ? doubts : [...doubts, `${which} ${note}`];
}

export function referenceNotes({ header, names, map }: KnownColumns, rows: readonly TableRow[]): string[] {
  const at = map.reference ?? (header ? names.findIndex(namesReference) : -1);
  const count = rows.filter(({ cells }) => cells[at]).length;
  if (count === 0) return [];
  return [
    map.reference === null
      ? `The column “${names[at]}” is not sent, so it does not keep these rows from being paid again.`
      : `${counted(count, "row has a reference", "rows have references")}, which the contract pays once.`,
  ];
}
