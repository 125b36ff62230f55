import { parsePoints, sumPoints } from "@/terms/points";
import { CELL_CHARS_MAX, type Table, type TableRow } from "./decode-file";
import { printable } from "./file-words";
import { bareNumber, EXAMPLES_SHOWN, NUMBER_CHARS_MAX, readAmount } from "./number-format";
import { bareText } from "./row-errors";

/** Column indexes; null when the user has to choose. */
export interface ColumnMap {
  toAddress: number | null;
  points: number | null;
  /** What each row pays for. Few files have it. */
  reference: number | null;
}

export type PaidField = "toAddress" | "points";

export type KnownMap = ColumnMap & { toAddress: number; points: number };

export interface Columns {
  /** Whether the first row names the columns. */
  header: boolean;
  /** `Column 2` when it has no name. */
  names: string[];
  /** First values, column by column. */
  samples: string[][];
  map: ColumnMap;
  /** What could be meant, the best first. */
  candidates: Record<PaidField, number[]>;
  /** Of which the name says that they are something else. */
  unlikely: Record<PaidField, number[]>;
  /** Columns with at least one address or number, so that none is left out without a word. */
  found: Record<"addresses" | "numbers", number[]>;
  /** A column that is the sum of others. */
  total: { column: number; parts: number[] } | null;
}

/** Of which it is known what is paid, and to whom. */
export type KnownColumns = Columns & { map: KnownMap };

/**
 * What a column's name says: against it, that it is another one, nothing, an amount of something unknown,
 * that it may be meant, or that it is.
 */
const [AGAINST, OTHER, UNKNOWN, QUALIFIED, MAYBE, SAID] = [0, 1, 2, 3, 4, 5] as const;
type Grade = 0 | 1 | 2 | 3 | 4 | 5;

/** Whether a name says anything for its column. */
export const isNamed = (grade: Grade) => grade > UNKNOWN;

export const unaccented = (text: string) =>
  /^[ -~]*$/.test(text) ? text : text.normalize("NFD").replaceAll(/\p{M}/gu, "").normalize("NFC");

/** `toAddress`, `To_address` and `TO ADDRESS` are `to address`. */
export const wordsOf = (name: string) =>
  unaccented(name)
    .replaceAll(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2")
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, " ")
    .trim();

const wordsLike = (words: string) => new RegExp(`\\b(?:${words})\\b`);

const NO_RECIPIENT = wordsLike(
  "collection|contract|currency|gauge|hash|market|(?:nft|token)s?(?! (?:holder|owner))|pool|txhash|vault",
);
/** Also addresses, but seldom those that are paid. */
const OTHER_ADDRESS = wordsLike(
  "creator|delegate|from|inviter|issuer|old|payer|previous|referral|referrer|rewards?|sender|signer|source|" +
    "transaction|tx|txn",
);
const RECIPIENT = wordsLike(
  "beneficiary|claimant|claimer|destination|payee|payout|receivers?|recipients?|^to",
);
const ADDRESS_NAME = wordsLike("accounts?|addr|address|addresses|holders?|members?|owners?|users?|wallets?");

/** Of a key above: a token's address is no recipient, an address among a contract's inputs may be one. */
const NO_RECIPIENT_ABOVE = /\b(?:collection|contract|currency|gauge|market|nfts?|pool|tokens?|vault)$/;

export function addressGrade(name: string): Grade {
  const keys = name
    .split(".")
    .map(wordsOf)
    .filter((words) => words !== "");
  const last = keys.pop() ?? "";
  if (NO_RECIPIENT.test(last) || keys.some((words) => NO_RECIPIENT_ABOVE.test(words))) return AGAINST;
  if (OTHER_ADDRESS.test([...keys, last].join(" "))) return OTHER;
  return RECIPIENT.test(last) ? SAID : ADDRESS_NAME.test(last) ? MAYBE : UNKNOWN;
}

/** In the name of no amount, wherever they are in it. */
const NO_AMOUNT = wordsLike(
  "delay|duration|ids?|limit|multiplier|nonce|pct|percent|percentage|phone|quorum|rate|ratio|share|" +
    "threshold|timestamp|weight|zip",
);
/** Of which there are several, with or without a number. */
const ROUNDS = "(?:day|epoch|hour|minute|month|phase|round|season|week|year)s?|cohort|stage|tranche|wave";
/** In the name of no amount as its last word: a block reward is one, a reward's block is none. */
const NO_AMOUNT_LAST = new RegExp(
  `\\b(?:${ROUNDS}|age|batch|block|category|chain|class|code|date|decimals|fid|group|index|kind|level|` +
    "network|no|nr|num|number|position|rank|row|status|tier|time|type|uid|version)$",
);
/** What an amount was before, or was used for. */
const PAST =
  "burned|claimed|distributed|lifetime|locked|old|paid|previous|received|redeemed|sent|spent|withdrawn";
/** Numbers that people have or did, which are seldom what they are owed. */
const HELD =
  "balances?|bets?|bids?|bought|contributed|cost|(?<!points? )count|deposit|deposited|donated|donations?|" +
  "fees?|gas|held|holdings?|invested|loss(?:es)?|orders?|owned|price|purchased?|referrals?|sold|staked|" +
  "stakes?|supply|transactions?|tvl|txns|txs|volume|votes?|voting power|vp|" +
  "avoirs|bakiye|bestand|guthaben|kontostand|saldos?|solde|stimmen|tegoed|tenencias|votos";
const OTHER_AMOUNT = wordsLike(
  `${PAST}|${HELD}|cumulative|dollars?|eur|euros?|gwei|raw|requested|scores?|tips?|usd|wei`,
);
/** Whether an amount is by its name one that people have, did or got before. */
export const isHeld = (name: string) =>
  HELD_NAME.test(wordsOf(name)) || /余额|持有|持仓|残高|保有|잔액|보유|баланс|остат/i.test(name);
const HELD_NAME = new RegExp(
  `(?<!\\b(?:due|outstanding|owed|unpaid) )\\b(?:${PAST}|${HELD})(?: (?:amount|points?|tokens?|usd))*$`,
);
const AMOUNT_NAME = wordsLike(
  "airdrops?|allocated|allocations?|amounts?|claimable|due|outstanding|owed|payable|payments?|payouts?|" +
    "refunds?|rewards?|tokens?|unclaimed|unpaid|" +
    "^(?:approved|awarded|final|(?:grand |sub)?total|granted|pending|remaining)$|" +
    "(?:final|remaining|total) (?:gold|points?|quantity|values?)",
);
/** Another form of an amount: `net`, or `after tax` beside a `reward`. */
const OTHER_FORM = wordsLike(
  "adjusted|capped|corrected|gross|net(?: of .+)?|(?:post|pre) ?tax|rounded|taxed|" +
    "(?:after|before|excl|excluding|incl|including|less|minus|with|without) .+",
);
/** `points this week` are points, and `rank last week` is a rank. */
const PERIOD = wordsLike(`(?<=. )(?:(?:current|last|past|prev|previous|this) (?:${ROUNDS})|to date)`);
const TO_PAY = /^to (?:pay|send|be (?:paid|sent))\b/;
/** Beside a word for an amount, these do not make it an amount of something else. */
const NEUTRAL = wordsLike(
  "accounts?|awarded|be|claims?|community|contributors?|decimal|each|earned|eligible|epoch|final|for|" +
    "formatted|grand|granted|holders?|human|members?|month|my|of|per|phase|pts|quarter|readable|" +
    "recipients?|round|season|sum|the|to|total|users?|wallets?|week|your",
);
/** As the units of tokens are written. */
const CAPITALS = /(?<![A-Za-z])[A-Z]{2,6}(?![A-Za-z])/g;
const MAYBE_AMOUNT = wordsLike("gold|points?|quantity|values?");
/** `No. of tokens` counts what is paid. `Reward week 12` is the reward, and the week only says which. */
const COUNT_OF = /^\W*(?:no|nr|num|number|#)\W*of\b(.*s)\W*$/i;
const NUMBERED = new RegExp(`(?<![a-z])(?:${ROUNDS}|quarter|q)[\\W_]*\\d+\\W*$`, "i");

export function amountGrade(name: string): Grade {
  const counted = COUNT_OF.exec(name)?.[1];
  const words = wordsOf(counted ?? name.replace(NUMBERED, ""));
  if (TO_PAY.test(words)) return SAID;
  const lasting = words.replace(PERIOD, "").trim();
  if (/%|^\W*#\W*$/.test(name) || NO_AMOUNT.test(words) || NO_AMOUNT_LAST.test(lasting)) return AGAINST;
  const whole = lasting.replace(OTHER_FORM, "");
  if (OTHER_AMOUNT.test(whole)) return OTHER;
  if (whole !== lasting) return QUALIFIED;
  if (counted !== undefined) return SAID;
  const saying = [name, ...name.split(".")].findLast((key) => AMOUNT_NAME.test(wordsOf(key)));
  const others = saying === undefined ? 0 : otherWords(saying);
  if (saying !== undefined && others === 0) return SAID;
  if (MAYBE_AMOUNT.test(words)) return MAYBE;
  return others > 0 && others <= OTHER_WORDS_MAX ? QUALIFIED : UNKNOWN;
}

/** More of them make a sentence. */
const OTHER_WORDS_MAX = 2;

/** How many words there are beside one for an amount by which it may be an amount of something else. */
const otherWords = (name: string) =>
  wordsOf(name.replace(NUMBERED, "").replaceAll(/[a-z]/.test(name) ? CAPITALS : "", ""))
    .split(" ")
    .filter((word) => word !== "" && ![AMOUNT_NAME, MAYBE_AMOUNT, NEUTRAL].some((known) => known.test(word)))
    .length;

export const namesReference = (name: string) => /^(?:payment ?)?references?$/.test(wordsOf(name));

const ADDRESS = /(?:^|[:/=]"?)(?:0x|xdc)?[0-9a-f]{30,}(?:$|[@/?#])/i;
const ADDRESS_CHARS_MIN = 30;
/** Also a hash, or with a chain, in a link or in quotation marks, so that its row is taken for one. */
export function looksLikeAddress(cell: string): boolean {
  if (cell.length < ADDRESS_CHARS_MIN) return false;
  const text = bareText(cell);
  return text.length <= CELL_CHARS_MAX && ADDRESS.test(text) && !/\s/.test(text);
}
/** Nor has a hash, such as the leaf of a tree, ever received anything. */
export const isRecipient = (cell: string) => looksLikeAddress(cell) && !/[0-9a-f]{63}|^\d+$/i.test(cell);

/** Meant as an address, although none can be paid by it. */
const isName = (cell: string) => /\.eth$/i.test(cell.slice(-4)) && !/\s/.test(cell);

const DIGITS = "(?:\\d{1,2}(?:,\\d{2})+,\\d{3}|\\d+(?:[.,'’\\s_]\\d{3})*)(?:[.,]\\d*)?|[.,]\\d+";
const QUOTES = "[\"'“”„‘’\\u202a\\u202c]*";
/** With a unit or a currency, between quotation marks, in hexadecimal digits or with an exponent. */
const NUMBER = new RegExp(
  `^${QUOTES}(?:\\p{Sc}|[A-Z]{2,5}\\s)?\\s*[+-]?\\s*(?:${DIGITS})(?:[eE][+-]?\\d+)?\\s*` +
    `(\\p{Sc}|\\p{L}{1,10})?${QUOTES}$|^0x[0-9a-fA-F]{1,38}$`,
  "u",
);
export const isNumber = (cell: string) =>
  cell.length <= NUMBER_CHARS_MAX && /^[^a-z]*\d/.test(cell) && NUMBER.test(cell);

/** But for a date. */
const BEGINS_WITH_DIGIT = /^(?!\d{1,4}[-/.]\d{1,2}[-/.]\d)[^\p{L}\d]*\d/u;

/** What a column has before its rows are looked at. */
const NOTHING = {
  filled: 0,
  addresses: 0,
  numbers: 0,
  /** Texts with digits, such as `100 x 3`: numbers that nobody can add up. */
  texts: 0,
  /** Whether its cells count the rows, from 0 or 1. */
  counts: true,
  /** Whether its cells are whole numbers, each larger than the one above. */
  rises: true,
  /** Whether its cells are answers: 0 or 1. */
  answers: true,
};
type Tally = typeof NOTHING & { column: number; name: string; isHidden: boolean; samples: string[] };

function tallyColumns(table: Table, rows: readonly TableRow[]): Tally[] {
  const names = rows.length < table.rows.length ? table.rows[0]!.cells : [];
  const tallies = Array.from({ length: widthOf(table) }, (_, column): Tally => {
    const isHidden = table.hiddenColumns?.has(column) ?? false;
    return { ...NOTHING, column, name: names[column] ?? "", isHidden, samples: [] };
  });
  const lasts: number[] = [];
  for (let row = 0; row < rows.length; row++) {
    const { cells } = rows[row]!;
    for (let column = 0; column < tallies.length && column < cells.length; column++) {
      const cell = cells[column];
      if (!cell) continue;
      const tally = tallies[column]!;
      const start = tally.counts ? Number(rows[0]!.cells[column]) : 0;
      if (isRecipient(cell) || isName(cell)) tally.addresses++;
      else if (isNumber(cell)) tally.numbers++;
      else if (cell.length <= NUMBER_CHARS_MAX && BEGINS_WITH_DIGIT.test(cell))
        tally.texts += looksLikeAddress(cell) ? 0 : 1;
      if (tally.counts) tally.counts = start <= 1 && cell === String(start + row);
      if (tally.rises) {
        tally.rises = /^\d{1,15}$/.test(cell) && Number(cell) > (lasts[column] ?? -1);
        lasts[column] = Number(cell);
      }
      if (tally.answers) tally.answers = /^[01](?:\.0+)?$/.test(cell);
      if (tally.filled++ < EXAMPLES_SHOWN) tally.samples.push(cell);
    }
  }
  return tallies;
}

function widthOf({ delimiter, rows }: Table): number {
  // A list has two columns, and more cells only where an amount has spaces.
  if (delimiter === " ") return 2;
  // Cells beyond the first row's may be parts of an amount. Elsewhere, no separator is also in amounts.
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return delimiter === "," && rows[0] ? Math.min(cellCountOf(rows[0]), width) : width;
}

export const cellCountOf = ({ cells, cellCount = cells.length }: TableRow) => cellCount;

const INDEX_ROWS_MIN = 10;

/** Finds what is paid, and to whom. `header` overrides the guess of whether the first row has names. */
export function findColumns(table: Table, header = table.header ?? guessHeader(table.rows)): Columns {
  const rows = table.rows.slice(header ? 1 : 0);
  const tallies = tallyColumns(table, rows);
  // A single 1 counts nothing.
  for (const tally of tallies) tally.counts &&= tally.filled * 2 > rows.length;
  // Also of a hidden column, and with repeated values: at worst, rows are refused.
  const reference = tallies.find(({ name }) => namesReference(name))?.column ?? null;
  // The index of a table of which some rows were taken out. In few rows, amounts may rise by chance.
  if (header && !table.header && tallies[0]?.name === "")
    tallies[0].counts ||= tallies[0].rises && tallies[0].filled >= INDEX_ROWS_MIN;
  const free = tallies.filter(({ column }) => column !== reference);
  const addresses = rank(free, "addresses", addressGrade);
  const others = free.filter(({ column }) => !addresses.some((other) => other.column === column));
  const amounts = rank(others, "numbers", amountGrade);
  const toAddress = best(addresses);
  const total = findTotal(rows, amounts);
  const points = best(amounts) ?? total?.column ?? null;
  const columnsOf = (of: readonly Tally[]) => of.map(({ column }) => column);
  // Where all names say that it is something else, no answer would be right.
  const likely = (of: readonly Candidate[]) => (of[0]?.grade === AGAINST ? [] : columnsOf(of));
  const unlikely = (of: readonly Candidate[]) => columnsOf(of.filter(({ grade }) => grade === AGAINST));
  return {
    header,
    names: tallies.map(
      ({ column, name, isHidden }) =>
        `${printable(name) || `Column ${column + 1}`}${isHidden ? " (hidden)" : ""}`,
    ),
    samples: tallies.map(({ samples }) => samples),
    map: { toAddress, points, reference },
    candidates: { toAddress: likely(addresses), points: likely(amounts) },
    unlikely: { toAddress: unlikely(addresses), points: unlikely(amounts) },
    found: {
      addresses: columnsOf(free.filter(({ addresses }) => addresses > 0)),
      numbers: columnsOf(free.filter(({ numbers }) => numbers > 0)),
    },
    total,
  };
}

interface Candidate extends Tally {
  grade: Grade;
  /** Filled only here and there, it may be another's exception. */
  isSparse: boolean;
  /** Beside numbers. Whatever its name says, it is never read without a question. */
  isText: boolean;
}

/** The columns that could be meant, the best first. A word, a gap or a unit only makes one worse. */
function rank(
  tallies: readonly Tally[],
  kind: "addresses" | "numbers",
  gradeOf: (name: string) => Grade,
): Candidate[] {
  const all = tallies.map((tally) => ({ ...tally, grade: tally.isHidden ? AGAINST : gradeOf(tally.name) }));
  // A column that counts the rows is an index, if it is the first or its name says so.
  const isIndex = ({ counts, filled, grade, column }: (typeof all)[number]) =>
    counts && filled > 0 && (grade === AGAINST || (grade <= UNKNOWN && column === 0));
  const isRight = (of: Tally) => of[kind] * 2 > of.filled;
  const right = all.filter(isRight);
  const isOnlyIndex = right.every(isIndex);
  const isNone = right.length === 0;
  const found = all.filter((of) => {
    if (isRight(of)) return isOnlyIndex || !isIndex(of);
    const hasTexts = kind === "numbers" && of.texts * 2 > of.filled;
    return of.grade > UNKNOWN ? of[kind] > 0 || hasTexts || isNone : isNone && hasTexts;
  });
  const most = found.reduce((most, { filled }) => Math.max(most, filled), 0);
  return found
    .map((of) => ({ ...of, isSparse: of.filled * 4 < most * 3, isText: !isNone && of[kind] === 0 }))
    .toSorted(
      (one, other) =>
        other.grade - one.grade || Number(one.isText) - Number(other.isText) || other.filled - one.filled,
    );
}

/** What was paid of an amount, what it was, or what came lately: that or the difference may be owed. */
const PART = wordsLike(
  `${PAST}|boosted|cumulative|d|daily|expired|forfeited|h|monthly|penalt(?:y|ies)|prev|slashed|today|` +
    `unlocked|vested|weekly|weighted|withheld|yesterday|${PERIOD.source}`,
);
/** Of an amount without that part. */
const REST = wordsLike("claimable|outstanding|owed|remaining|unclaimed|unpaid");
const nounOf = (text: string) => (MAYBE_AMOUNT.exec(text) ?? AMOUNT_NAME.exec(text))?.[0].replace(/s$/, "");

/** `amount paid` is part of `amount due`. Beside `reward` it may be a price, but `claimed tokens` may not. */
function isPartOf(whole: string, part: string, isAnswer: boolean): boolean {
  if (/\b(?:adjustment|correction|deduction)s?$/.test(part)) return true;
  if (!PART.test(part) || REST.test(whole)) return false;
  const noun = nounOf(part);
  // Alone, such a word is said of the amount beside it.
  if (noun === undefined) return !isAnswer && /^(?:already |total )?\w+$/.test(part);
  return noun === nounOf(whole) || (/^(?:token|amount)$/.test(noun) && /\bclaimed\b/.test(part));
}

/** People who may be paid as well as an owner or a user. */
const ROLE = wordsLike(
  "(?:borrower|buyer|delegator|lender|operator|player|seller|staker|trader|validator|winner)s?",
);
/** Whether one is of anything, such as tokens, beside the points, or both are people who may be paid. */
const areTwins = (one: string, other: string) =>
  (/^(?:total )?(?:amounts?|tokens?|total)$/.test(one) && /^(?:total )?(?:gold|points?)$/.test(other)) ||
  (/\b(?:holder|member|owner|user)s?$/.test(one) && ROLE.test(other));

/**
 * The only candidate, or the one whose name says it best; null for a question. By an unknown word, an amount
 * (`purchase amount`) may be less than a column of an unknown name, or more than another amount.
 */
function best([first, ...others]: readonly Candidate[]): number | null {
  if (!first || first.grade === AGAINST) return null;
  const name = wordsOf(first.name);
  const isPart = (of: Candidate) =>
    isPartOf(name, wordsOf(of.name), of.answers) || areTwins(name, wordsOf(of.name));
  const isLess = (of: Candidate) =>
    of.isText ? of.grade <= first.grade : of.grade < first.grade && of.grade !== QUALIFIED && !isPart(of);
  const isSaid =
    first.grade > UNKNOWN &&
    !first.isSparse &&
    !first.isText &&
    others.every((other) => isLess(other) && !(first.grade === QUALIFIED && other.grade === UNKNOWN));
  return others.length === 0 || isSaid ? first.column : null;
}

const TOTAL_NAME = wordsLike("totals?|sum");
/** Beside them, a total is more than what is owed. */
const NO_PART = wordsLike(`${OTHER_AMOUNT.source}|claimable|due|pending|remaining|unclaimed|vested`);

/** A column called a total that is in every row the exact sum of two or more columns right beside it. */
function findTotal(rows: readonly TableRow[], amounts: readonly Candidate[]) {
  const mayBePart = amounts.filter(({ name }) => !NO_PART.test(wordsOf(name))).map(({ column }) => column);
  const isTotal = ({ grade, name }: Candidate) => grade > AGAINST && TOTAL_NAME.test(wordsOf(name));
  for (const { column } of amounts.filter(isTotal))
    for (const step of [-1, 1]) {
      const parts: number[] = [];
      for (let at = column + step; mayBePart.includes(at); at += step) {
        parts.push(at);
        const isSum = ({ cells }: TableRow) => {
          const read = (part: number) => readAmount(bareNumber(cells[part] || "0") ?? "", "1,234.56");
          const [total = "0", ...units] = [column, ...parts].map(read).filter((amount) => amount !== null);
          return units.length === parts.length && sumPoints(units) === parsePoints(total);
        };
        if (parts.length > 1 && rows.length > 1 && rows.every(isSum))
          return { column, parts: parts.toSorted((one, other) => one - other) };
      }
    }
  return null;
}

/** A first row is a heading if it has neither an address nor a number such as the rows below have. */
function guessHeader([head, ...rows]: readonly TableRow[]): boolean {
  const unitOf = (cell = "") => (cell.length > NUMBER_CHARS_MAX ? null : NUMBER.exec(cell))?.[1] ?? "";
  const namesAddress = head?.cells.some((cell) => isNamed(addressGrade(cell)));
  const isData = (cell: string, column: number) => {
    if (/^0x[0-9a-f]+$/i.test(cell) || looksLikeAddress(cell) || isName(cell)) return true;
    const isUnit = [unitOf(rows[0]?.cells[column]), ""].includes(unitOf(cell));
    return isNumber(cell) && (isUnit || !namesAddress);
  };
  return head !== undefined && head.cells.length > 0 && !head.cells.some(isData);
}

/** Counts the rows above one that names the columns, or with a single cell above an address. */
export function countTitles(rows: readonly TableRow[]): number {
  const first = rows.findIndex(({ cells }) => cells.some(looksLikeAddress));
  const namesBoth = ({ cells }: TableRow) => {
    const at = cells.findIndex((cell) => isNamed(addressGrade(cell)));
    return at !== -1 && cells.some((cell, column) => column !== at && isNamed(amountGrade(cell)));
  };
  // Recipients, of which none can be paid.
  const above = rows.slice(0, Math.max(0, first));
  if (above.some(({ cells }) => cells.length > 1 && cells.some(isName))) return 0;
  const named = above.findLastIndex(namesBoth);
  if (named > 0) return named;
  // What is above a list of addresses may be meant as one.
  if (rows[first]?.cells.length === 1) return 0;
  let titles = 0;
  while (titles < first && rows[titles]!.cells.filter(Boolean).length === 1) titles++;
  return titles;
}
