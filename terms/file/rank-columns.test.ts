import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkTable, checkText, otherNotes } from "@/testing/check-text";
import { wallet } from "@/testing/factories";
import { writeWorkbook } from "@/testing/write-workbook";
import { columnChoices } from "./check-rows";
import { noColumn, totalWords } from "./file-words";
import { amountGrade, findColumns } from "./rank-columns";
import { readTable } from "./read-table";
import { openWorkbook } from "./read-workbook";

const [A, B, C, D] = [wallet(0xa1), wallet(0xa2), wallet(0xa3), wallet(0xb1)];
const ROW = [A, B];

const tsv = (...rows: readonly string[][]) => rows.map((cells) => cells.join("\t")).join("\n");
/** A column of addresses, and a column of each name with the cells below it. */
const table = (columns: Record<string, readonly string[]>, name = "address") => {
  const names = Object.keys(columns);
  const count = columns[names[0]!]!.length;
  const rows = [A, B, C, D].slice(0, count);
  return tsv([name, ...names], ...rows.map((to, at) => [to, ...names.map((of) => columns[of]![at]!)]));
};

/** What is read, or which columns are in the question. */
function reading(text: string) {
  const read = readTable(text);
  const columns = findColumns(read);
  const { toAddress, points } = columns.map;
  const named = (of: readonly number[]) => of.map((column) => `${columns.names[column]}`);
  if (toAddress === null) return { whichAddresses: named(columns.candidates.toAddress).toSorted() };
  if (points === null) return { whichAmounts: named(columns.candidates.points).toSorted() };
  return { addresses: columns.names[toAddress], amounts: columns.names[points] };
}

describe("the column whose name says it best is read", () => {
  test.each<[amounts: string, columns: Record<string, readonly string[]>]>([
    ["allocation", { balance: ["120000", "90000"], allocation: ["50", "40"] }],
    ["op_tokens", { value_usd: ["120000", "90000"], op_tokens: ["50", "40"] }],
    ["total_points", { points: ["100", "50"], multiplier: ["2", "3"], total_points: ["200", "150"] }],
    ["To pay this month", { "Tokens sold": ["500", "700"], "To pay this month": ["5", "7"] }],
    ["block reward", { "block reward": ["500", "700"], tips: ["2", "3"] }],
    ["Reward week 12", { "Reward week 12": ["5", "7"], week: ["12", "12"] }],
    ["no of tokens", { "no of tokens": ["126084", "2100000"], days: ["180", "180"] }],
    ["No. of Tokens", { "No. of Tokens": ["126084", "2100000"], cliff: ["180", "180"] }],
    ["amount (OP)", { "amount (OP)": ["100 OP", "50 OP"], bonus: ["3", "4"] }],
    ["reward", { reward: ["$1,200.00", "$50.00"], NFTs: ["3", "4"] }],
    ["claimable", { claimed: ["10", "20"], claimable: ["3", "4"], fees: ["1", "2"] }],
    ["points", { rank: ["7", "9"], points: ["3", "4"], kudos: ["1", "2"] }],
    ["points", { "amount spent": ["30", "40"], rank_last_week: ["7", "9"], points: ["3", "4"] }],
    ["reward", { points_this_week: ["3", "4"], tokens_locked: ["500", "700"], reward: ["1", "2"] }],
    ["24h", { "24h": ["5", "7"] }],
    ["kudos", { kudos: ["3", "4"], leaf: [`0x${"0".repeat(63)}1`, `0x${"0".repeat(63)}2`] }],
  ])("%s", (amounts, columns) => {
    expect(reading(table(columns))).toEqual({ addresses: "address", amounts });
  });

  test.each([
    ["whole", (at: number) => at],
    ["of which rows were taken out", (at: number) => at * 3 + 2],
  ])("beside the unnamed index that pandas writes, %s", (_, indexOf) => {
    const rows = Array.from({ length: 10 }, (_, at) => [`${indexOf(at)}`, "x", wallet(at + 1), "5"]);
    const text = tsv(["", "Project", "To", "DAI"], ...rows);
    expect(reading(text)).toEqual({ addresses: "To", amounts: "DAI" });
  });

  test("in an object whose keys are addresses that its rows say again", () => {
    const rows = {
      [A]: { address: A, amount: "5" },
      [B]: { address: B.toUpperCase().replace("0X", "0x"), amount: "6" },
    };
    expect(reading(JSON.stringify(rows))).toEqual({ addresses: "address", amounts: "amount" });
  });

  test.each<[what: string, columns: Record<string, readonly string[]>, amounts: string | undefined]>([
    [
      "a total of rewards",
      { "reward A": ["5", "$1,000.5"], "reward B": ["", "2"], "reward total": ["5", "1002.5"] },
      "reward total",
    ],
    ["on the other side", { total: ["5", "7"], "amount 1": ["2", "3"], "amount 2": ["3", "4"] }, "total"],
    ["not in every row", { total: ["5", "8"], "amount 1": ["2", "3"], "amount 2": ["3", "4"] }, undefined],
    ["of paid", { "amount total": ["5", "7"], "amount paid": ["2", "3"], remaining: ["3", "4"] }, undefined],
    ["in one row", { total: ["5"], "amount 1": ["2"], "amount 2": ["3"] }, undefined],
    ["of seasons", { kudos: ["2", "3"], xp: ["3", "4"], total: ["5", "7"] }, "total"],
  ])("that is the sum of the columns beside it: %s", (_, columns, amounts) => {
    const text = table(columns);
    expect((reading(text) as { amounts?: string }).amounts).toBe(amounts);
    if (!amounts) return;
    const names = ["", ...Object.keys(columns)];
    const parts = [...names.keys()].filter((at) => at > 0 && names[at] !== amounts);
    expect(otherNotes(checkText(text))[0]).toBe(
      `In every row, “${amounts}” is the sum of ` +
        `${parts.map((at) => `“${names[at]}” (column ${at + 1})`).join(", ")}.`,
    );
  });

  test.each([
    ["to", tsv(["address", "to", "amount"], [A, B, "5"])],
    ["wallet", tsv(["referrer", "wallet", "amount"], [A, B, "5"])],
    ["user", tsv(["token_address", "user", "amount"], [A, B, "5"])],
    ["token holder", tsv(["token", "token holder", "amount"], [A, B, "5"])],
  ])("of addresses: %s", (addresses, text) => {
    expect(reading(text)).toEqual({ addresses, amounts: "amount" });
  });
});

test.each([
  ["points", "amount_shui"],
  ["purchase_amount", "cashback"],
  ["match amount", "won"],
  ["allocation", "unclaimed"],
  ["total", "due"],
  ["How many tokens did you test?", "requested"],
  ["reward", "after tax"],
  ["amount", "amount after fees"],
  ["gross", "net"],
  ["allocation", "less the cap"],
  ["points", "points_this_week"],
  ["points", "pointsToDate"],
  ["points", "claimed points"],
  ["amount_due", "amount_paid"],
  ["new_points", "previous_points"],
  ["total_points", "points_7d"],
  ["amount", "points"],
  ["allocation", "claimed tokens"],
  ["points", "correction"],
  ["points", "redeemed"],
  ["allocation", "claimed"],
  ["allocated", "vested"],
  ["reward", "penalty"],
  ["points", "boosted"],
  ["staked", "weighted"],
])("of “%s” and “%s”, neither name says it better", (one, other) => {
  const text = table({ [one]: ["5", "7"], [other]: ["2", "3"] });
  expect(reading(text)).toEqual({ whichAmounts: [one, other].toSorted() });
});

describe("nobody is paid by another column when the one that is named is text", () => {
  test.each([
    ["allocation", { allocation: ["100 x 3", "50 x 2"], vesting: ["30", "40"] }],
    ["amount", { amount: ["~100", "~50"], kills: ["3", "4"] }],
    ["airdrop", { airdrop: ["100 $ARB", "50 $ARB"], score: ["3", "4"] }],
  ])("%s", (name, columns) => {
    expect((reading(table(columns)) as { whichAmounts?: string[] }).whichAmounts).toContain(name);
  });

  test("but a note beside numbers is no amount", () => {
    const text = table({ amount: ["TBD", "TBD"], score: ["3", "4"] });
    expect(reading(text)).toMatchObject({ amounts: "score" });
    expect(checkText(text).notes).toContain("There are no numbers in “amount” (column 2).");
  });
});

describe("a contract is not paid for its recipients", () => {
  test("of calls with a recipient among their inputs", () => {
    const call = (to: string, token: string) => ({
      to: token,
      value: "0",
      contractMethod: { name: "transfer" },
      contractInputsValues: { to, amount: "1500" },
    });
    const whichAddresses = ["contractInputsValues.to", "to"];
    expect(reading(JSON.stringify([call(A, C), call(B, D)]))).toEqual({ whichAddresses });
  });

  test("that has its own list below each of its rows", () => {
    const merkle = (from: number) =>
      Object.fromEntries(Array.from({ length: 300 }, (_, at) => [wallet(from + at), { amount: "5" }]));
    const tokens = [
      { symbol: "X", address: C, merkle: merkle(1000), total: "1500" },
      { symbol: "Y", address: D, merkle: merkle(2000), total: "1500" },
    ];
    expect(() => readTable(JSON.stringify(tokens))).toThrow("recipients of its own below “merkle”");
    const rows = [A, B].map((user) => ({ user, amount: "5" }));
    for (const rewards of [rows, { [A]: "5", [B]: "6" }])
      expect(() => readTable(JSON.stringify([{ epoch: 1, rewards }]))).toThrow("of its own below “rewards”");
  });
});

describe("a question is asked where no name, or more than one, says it", () => {
  test.each<[what: string, columns: Record<string, readonly string[]>]>([
    ["rounds, one of them sparse", { round_1: ["5", "6", "1"], round_2: ["7", "", ""] }],
    ["numbers that start late", { kudos: ["5", "6", ""], late: ["", "", "9"] }],
    ["base units and dollars", { amount_wei: ["5000000000000000000", "1"], usd_value: ["12.5", "3"] }],
    ["an amount paid before", { "amount paid": ["5", "6"], kudos: ["1", "2"] }],
    ["three amounts", { amount: ["100", "50"], airdrop: ["40", "5"], remaining: ["60", "50"] }],
    ["a currency", { prize: ["$1,200.00", "$50.00"], NFTs: ["3", "4"] }],
    ["days of vesting", { OP: ["126084", "2100000"], days: ["180", "180"] }],
    ["votes", { total_votes: ["5", "6"], kudos: ["1", "2"] }],
    ["fees", { total_fees: ["5", "6"], kudos: ["1", "2"] }],
    ["dollars", { amount_usd: ["5", "6"], kudos: ["1", "2"] }],
    ["hexadecimal numbers", { "0x": ["0x64", "0x65"], kudos: ["1", "2"] }],
    ["an amount that is filled here and there", { reward: ["5", "", ""], kudos: ["1", "2", "3"] }],
  ])("%s", (_, columns) => {
    expect(reading(table(columns))).toEqual({ whichAmounts: Object.keys(columns).toSorted() });
  });

  test.each<[what: string, text: string, columns: string[]]>([
    [
      "a payout wallet that few rows fill",
      tsv(["wallet", "payout_wallet", "amount"], [A, "", "5"], [B, C, "6"], [D, "", "7"]),
      ["payout_wallet", "wallet"],
    ],
    [
      "a second table beside the first",
      tsv(["address", "amount", "", "address", "amount"], [A, "5", "", D, "700"], [B, "6"], [C, "7"]),
      ["address", "address"],
    ],
    ["two people", tsv(["owner", "operator", "amount"], [A, B, "5"]), ["operator", "owner"]],
    [
      "such tables with titles",
      tsv(["Team A"], ["address", "amount", "", "wallet", "points"], [A, "5", "", D, "7"], [B, "6"]),
      ["address", "wallet"],
    ],
    [
      "amounts by token and user",
      JSON.stringify({ [A]: { [B]: "5", [C]: "7" }, [D]: { [B]: "6" } }),
      ["Column 1", "Column 2"],
    ],
    [
      "pools and what they are rewarded with",
      tsv(["Gauge", "Reward Address", "amount"], [A, B, "5"]),
      ["Gauge", "Reward Address"],
    ],
  ])("%s", (_, text, columns) => {
    expect(reading(text)).toEqual({ whichAddresses: columns });
  });

  test("with the name, the first values and the total of each, without a row that is the total", () => {
    const text = table({ round_1: ["5", "6", "1"], round_2: ["", "7.5", ""] });
    const given = readTable(`${text}\nTotal\t12`);
    expect(columnChoices(given, findColumns(given)).points).toEqual([
      { column: 1, name: "round_1", samples: ["5", "6", "1"], totals: ["12"], uncounted: 0 },
      { column: 2, name: "round_2", samples: ["7.5"], totals: ["7.5"], uncounted: 0 },
    ]);
  });

  test("and what of it cannot be added up", () => {
    const given = readTable(table({ one: ["5 ARB", "4 ARB", "3"], two: ["7 OP", "8 OP", "9 OP"] }));
    expect(columnChoices(given, findColumns(given)).points.map(totalWords)).toEqual([
      "3; 2 values cannot be added up",
      "3 values cannot be added up",
    ]);
  });

  test.each([
    ["wallet,percentage", [A, "40"], "points", "amounts, unless “percentage” does."],
    ["wallet,token_id,level", [A, "4", "7"], "points", "amounts, unless “token_id”, “level” does."],
    ["token,amount", [A, "5"], "toAddress", "addresses, unless “token” does."],
    ["wallet,name,city", [A, "x", "y"], "points", "amounts. Add one"],
  ] as const)("but no question without a right answer: %s", (head, cells, field, message) => {
    const given = readTable(`${head}\n${cells.join(",")}\n`);
    const columns = findColumns(given);
    expect([columns.map[field], columnChoices(given, columns)[field]]).toEqual([null, []]);
    expect(noColumn(field, columns)).toContain(message);
  });

  test("in a workbook too, also about numbers that start after many rows", () => {
    const rows = Array.from({ length: 65 }, (_, at) =>
      at < 60 ? [wallet(at + 1), { stored: "5" }] : [wallet(at + 1), "", { stored: "9" }],
    );
    const sheet = { name: "S", rows: [["wallet", "kudos", "kudos (late)"], ...rows] };
    const { map } = findColumns(openWorkbook(writeWorkbook([sheet])).read(0));
    expect(map).toMatchObject({ toAddress: 0, points: null });
  });
});

describe("in JSON", () => {
  test.each<[what: string, value: unknown, expected: object]>([
    ["a total in hexadecimal digits", { [A]: { index: 0, total: "0x64", flags: 1 } }, { amounts: "total" }],
    ["an amount below a key", [{ address: A, xp: 12, payout: { usdc: "500" } }], { amounts: "payout.usdc" }],
    [
      "rewards by reason",
      { rewards: { [A]: { swap: "5", lp: "7" }, [B]: { swap: "6" }, [C]: { swap: "1" } } },
      { whichAmounts: ["lp", "swap"] },
    ],
    ["lists", [{ address: A, xp: 3, rounds: ["5", "7"] }], { whichAmounts: ["rounds 1", "rounds 2", "xp"] }],
    [
      "rows below tokens",
      { [D]: [A, B].map((address) => ({ address, amount: "5" })) },
      { addresses: "address", amounts: "amount" },
    ],
    ["parallel lists", { to: ROW, amounts: ["5", "7"] }, { addresses: "to", amounts: "amounts" }],
    [
      "parallel lists below keys",
      { drop: { recipients: [A, B], values: [5, 7], token: C } },
      { addresses: "recipients", amounts: "values" },
    ],
    ["parallel lists without keys", [ROW, ["5", "7"]], { addresses: "List 1", amounts: "List 2" }],
  ])("%s", (_, value, expected) => {
    expect(reading(JSON.stringify(value))).toMatchObject(expected);
  });

  test("lists side by side are read although some value is missing or wrong", () => {
    const text = JSON.stringify({ addresses: [A, "alice.eth", C], amounts: [5, 6, null] });
    const { errors, transferCount } = checkText(text);
    expect(transferCount).toBe(1);
    expect(errors.map(({ column, code }) => [column, code])).toEqual([
      ["addresses", "invalid_address"],
      ["amounts", "required"],
    ]);
  });

  test("lists of different lengths are refused", () => {
    expect(() => readTable(JSON.stringify({ addresses: [A, B, C], amounts: [5, 7] }))).toThrow(
      "“addresses” has 3 values, but “amounts” has 2. Each address needs an amount.",
    );
  });
});

test.each<[grade: number, ...names: string[]]>([
  [5, "total", "Grand total", "finalReward", "# of tokens", "investments 1.total", "Amount (OP)"],
  [3, "Swap amount"],
  [2, "remaining attempts", "Week 12", "tranche_1"],
  [1, "total referrals", "USDValue", "fees.total", "claimed_amount"],
  [0, "number of days", "token_id", "reward %", "level 2", "reward_type"],
])("a name is worth %s if it is such as %s", (grade, ...names) => {
  expect(names.map((name) => [name, amountGrade(name)])).toEqual(names.map((name) => [name, grade]));
});

test("every result says which columns were read, and which others have numbers or addresses", () => {
  const notesOf = (text: string) => checkText(text).notes;
  expect(notesOf(tsv(["wallet", "Reward week 12", "days"], [A, "5", "180"]))).toEqual([
    "Addresses from “wallet”, amounts from “Reward week 12” (column 2).",
    "Not read: the numbers in “days” (column 3).",
  ]);
  expect(notesOf(tsv(["from", "to", "amount"], [A, B, "5"]))).toEqual([
    "Addresses from “to”, amounts from “amount” (column 3).",
    "Not read: the addresses in “from” (column 1).",
  ]);
  expect(notesOf(tsv([A, "5"], [B, "7"]))).toEqual(["Addresses from column 1, amounts from column 2."]);
  expect(notesOf(tsv(["who", "how much"], [A, "5"]))).toEqual([
    "Addresses from “who”, amounts from “how much” (column 2).",
    "Line 1 is read as the heading, not as a transfer.",
  ]);
});

test("amounts of several tokens are never paid as one type without a word", () => {
  const doubtsOf = (name: string, ...cells: string[]) => {
    const { doubts, notes } = checkText(table({ amount: ["5", "7"], [name]: cells }));
    expect(notes).toEqual(expect.arrayContaining(doubts));
    return doubts.join();
  };
  for (const name of ["token", "Token Symbol", "currency", "rewardToken"])
    expect(doubtsOf(name, "OP", "USDC")).toBe(
      `Amounts of several kinds (“${name}”) are added up as one point type: OP, USDC.`,
    );
  expect(doubtsOf("token address", C, D)).toContain(`one point type: ${C}, ${D}.`);
  expect(doubtsOf("token", "OP", "OP") + doubtsOf("note", "OP", "USDC")).toBe("");
  const units = table({ amount: ["5 points", "7 gold"] });
  expect(checkText(units, { treatment: { fixes: ["form"] } }).doubts.join()).toContain("several kinds");
  // A guess is only said.
  for (const text of [table({ amount: ["5", "7"], type: ["OP", "USDC"] }), `${A}\tOP\t5\n${B}\tUSDC\t7\n`])
    expect(checkText(text)).toMatchObject({
      doubts: [],
      notes: expect.arrayContaining([expect.stringContaining("several kinds")]),
    });
});

test.each<[name: string, cells: string[], said?: string]>([
  ["claimed", ["true", "false", "true"], "true for 2"],
  ["is_paid", ["yes", "", "no"], "yes for 1"],
  ["Sent?", ["0", "1", "0"], "1 for 1"],
  ["status", ["paid", "pending", "sent"], "paid, sent for 2"],
  ["status", ["Already paid", "Paid 2026-01-03", "completed"], "Already paid, Paid 2026-01-03 for 2"],
  ["payment_status", ["success", "pending", ""], "success for 1"],
  ["paid_at", ["2026-01-31", "", "0001-01-01T00:00:00Z"], "2026-01-31 for 1"],
  ["claimedAt", ["1767225600", "0", "Jan 31, 2026"], "1767225600, Jan 31, 2026 for 2"],
  ["claimed", ["t", "f", "✔\uFE0F"], "t, ✔⟨U+FE0F⟩ for 2"],
  ["paid (y/n)", ["y", "n", "1.0"], "y, 1.0 for 2"],
  ["claimed", ["false", "no", ""]],
  ["unclaimed", ["true", "true", ""]],
  ["not_paid", ["yes", "yes", "no"]],
  ["to be paid", ["yes", "yes", "no"]],
  ["not yet claimed", ["yes", "yes", "no"]],
  ["has_not_been_paid", ["yes", "yes", "no"]],
  ["email_sent", ["yes", "yes", "no"]],
  ["next_processed_at", ["2027-01-31", "", ""]],
  ["note", ["paid", "paid", ""]],
  ["eligible", ["yes", "no", "FALSE"], "no, FALSE for 2"],
  ["Is sybil?", ["1", "0", ""], "1 for 1"],
  ["excluded", ["x", "", "-"], "x for 1"],
  ["status", ["active", "Not eligible", "cancelled"], "Not eligible, cancelled for 2"],
  ["type", ["-", "debit", "Redemption"], "debit, Redemption for 2"],
  ["direction", ["in", "OUT", "in"], "OUT for 1"],
  ["not_excluded", ["yes", "yes", "no"]],
  ["bots", ["1", "4", "0"]],
  ["reason", ["duplicate", "debit", ""]],
  ["deleted_at", ["2026-01-01", "", ""], "2026-01-01 for 1"],
  ["beta test", ["yes", "no", ""]],
  ["tax included", ["no", "no", "no"]],
  ["exclude_reason", ["several accounts", "", "none"], "several accounts for 1"],
  ["Skip?", ["x", "no", ""], "x for 1"],
  ["hold time", ["30d", "60d", ""]],
  ["payout_tx", ["by Safe", "", "-"], "by Safe for 1"],
  ["action", ["burn", "swap", "spend"]],
  ["type", ["mint", "burn", "mint"], "burn for 1"],
  ["action", ["earn", "burn", "spend"], "burn, spend for 2"],
  ["+/-", ["+", "-", "+"], "- for 1"],
  ["status", ["NOT_ELIGIBLE", "versé", "frozen"], "NOT_ELIGIBLE, versé, frozen for 3"],
  ["eligible", ["FALSCH", "não", "sí"], "FALSCH, não for 2"],
  ["situação", ["Pago", "Pendente", "Excluído"], "Pago, Excluído for 2"],
  ["payé le", ["2026-10-03", "", "non"], "2026-10-03 for 1"],
  ["KYC", ["passed", "failed", "not started"], "failed, not started for 2"],
  ["replaced_by", [D, "", "-"], `${D} for 1`],
  ["Motivo de rechazo", ["documento vencido", "", ""], "documento vencido for 1"],
  ["Motivo de pago", ["octubre", "octubre", ""]],
  ["Soll/Haben", ["+", "S", "-"], "S, - for 2"],
  ["tx_hash", [A, "", ""], `${A} for 1`],
  ["tx_hash", [A, B, C]],
  ["note", ["DO NOT PAY: fraud", "", ""], "DO NOT PAY: fraud for 1"],
  ["状态", ["已支付", "未支付", "支付"], "已支付 for 1"],
  ["상태", ["지급 완료", "대기", "제외됨"], "지급 완료, 제외됨 for 2"],
  ["Выплачено", ["да", "нет", ""], "да for 1"],
])("what “%s” says against paying a row is never left out: %j", (name, cells, said) => {
  const { doubts, notes } = checkText(table({ reward: ["5", "6", "7"], [name]: cells }));
  expect(doubts).toEqual(said ? [`“${name}” says ${said} of 3 rows, which would be paid too.`] : []);
  expect(notes).toEqual(expect.arrayContaining(doubts));
});

test.each([
  ["tokens_held", true],
  ["Saldo", true],
  ["余额", true],
  ["amount_paid", true],
  ["Balance due", false],
  ["referral_reward", false],
  ["points count", false],
])("an amount that is the only one and is called “%s” is in doubt: %s", (name, isDoubt) => {
  const doubt = `“${name}” may be what people have, did or got before, not what they are to be paid.`;
  expect(checkText(table({ [name]: ["5", "6"] })).doubts).toEqual(isDoubt ? [doubt] : []);
});

test("a completed payment, as its fee shows, is in doubt, and a completed task is not", () => {
  const doubtsOf = (name: string) =>
    checkText(table({ amount: ["5", "6"], status: ["Completed", "Failed"], [name]: ["1", "1"] })).doubts;
  expect([doubtsOf("Network fee").length, doubtsOf("level")]).toEqual([1, []]);
});

test("a refund is not doubted because of what was cancelled", () => {
  expect(checkText(table({ refund: ["5", "6"], status: ["cancelled", "Void"] })).doubts).toEqual([]);
});

test("flags alone are no amounts without a word", () => {
  expect(checkText(tsv(["wallet", "paid"], [A, "1"], [B, "1"])).doubts.join()).toContain("“paid” says 1");
  expect(checkText(tsv(["wallet", "points earned"], [A, "1"], [B, "1"])).doubts).toEqual([]);
});

test("the only column is read, also with a name that others would be read before", () => {
  expect(reading(tsv(["tx_from", "amount wei"], [A, "5"]))).toEqual({
    addresses: "tx_from",
    amounts: "amount wei",
  });
});

test.each([
  ["a name and an amount", "alice.eth,$100"],
  ["a name, the amount with a unit", "alice.eth,100 OP"],
  ["somebody and a number", "Alice,100"],
  ["somebody and a number with the unit of the next line", "Alice,100 OP"],
  ["somebody and a number with a unit of its own", "Alice,1.5k"],
])("the first recipient is not taken for a heading: %s", (_, line) => {
  const { errors, rowCount } = checkText(`${line}\n${A},50 OP\n${B},5 OP\n`);
  expect(rowCount).toBe(3);
  expect(errors[0]).toMatchObject({ line: 1 });
});

const SAYS = ["reward", "total", "amount", "No. of tokens", "airdrop"];
const OTHER = "kudos,OP,,week 3,days,fees,votes,usd,balance,rank,note,token_id".split(",");

/** The cells of a column, by row. */
const column = (rows: number) => {
  const whole = fc.integer({ min: 1, max: 999_999 }).map(String);
  const cells = (of: fc.Arbitrary<string>) => fc.array(of, { minLength: rows, maxLength: rows });
  return fc.record({
    name: fc.oneof(fc.constantFrom(...SAYS), fc.constantFrom(...OTHER)),
    cells: fc.oneof(
      cells(whole),
      cells(fc.tuple(whole, fc.nat(99)).map(([number, cents]) => `${number}.${cents}`)),
      cells(fc.oneof(whole, fc.constant(""))),
      cells(whole.map((number) => `${number} OP`)),
      cells(whole.map((number) => `$${number}`)),
      cells(fc.constantFrom("alice", "bob", "x")),
      cells(fc.oneof(whole, fc.constantFrom("", "n/a"))),
      cells(fc.nat().map((at) => wallet(at + 0x10000))),
    ),
  });
};

/** Up to six columns, of which one at least has addresses. */
const tables = fc.integer({ min: 1, max: 6 }).chain((rows) =>
  fc.record({
    columns: fc.array(column(rows), { minLength: 1, maxLength: 5 }),
    place: fc.nat(5),
    rows: fc.constant(rows),
    form: fc.constantFrom("\t", ";", ",", "JSON"),
  }),
);

test("in any table, one column is read, or there is a question; no number is left out without a word", () => {
  const isAmount = (cell: string) => /^\$?\d[\d.]*(?: OP)?$/.test(cell);
  fc.assert(
    fc.property(tables, ({ columns: given, place, rows, form }) => {
      const addresses = { name: "address", cells: Array.from({ length: rows }, (_, at) => wallet(at + 1)) };
      const columns = given.toSpliced(place, 0, addresses);
      const lines = Array.from({ length: rows }, (_, row) => columns.map(({ cells }) => cells[row]!));
      const head = columns.map(({ name }) => name);
      const text =
        form === "JSON"
          ? JSON.stringify(
              lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [`${head[at]}_${at}`, cell]))),
            )
          : [head, ...lines].map((cells) => cells.join(form)).join("\n");
      const read = readTable(text);
      const { map, candidates, unlikely } = findColumns(read);
      const numbers = columns.flatMap(({ cells }, at) => (cells.some(isAmount) ? [at] : []));
      if (map.toAddress === null || map.points === null) {
        // The question, or that there is none, shows every column that has only amounts.
        if (map.toAddress !== null)
          for (const at of numbers)
            if (
              columns[at]!.cells.every((cell) => cell === "" || isAmount(cell)) &&
              !isCounter(columns[at]!.cells)
            )
              expect(candidates.points.length > 0 ? candidates.points : unlikely.points).toContain(at);
        return;
      }
      const checked = checkTable(read);
      if (checked.questions.length > 0) return;
      const { points } = map;
      const full = numbers.filter(
        (at) => columns[at]!.cells.every(isAmount) && !isCounter(columns[at]!.cells),
      );
      if (full.length > 1) expect(SAYS).toContain(columns[points]!.name);
      const notes = otherNotes(checked).join("\n");
      for (const at of numbers) if (at !== points) expect(notes).toContain(`column ${at + 1}`);
      // Each amount is a transfer or an error.
      const filled = columns[points]!.cells.filter((cell) => cell !== "").length;
      expect(checked.transferCount + checked.badRows).toBeGreaterThanOrEqual(filled);
    }),
    { numRuns: 1500 },
  );
});

const isCounter = (cells: readonly string[]) =>
  Number(cells[0]) <= 1 &&
  cells.filter((cell) => cell !== "").length * 2 > cells.length &&
  cells.every((cell, at) => cell === "" || cell === String(Number(cells[0]) + at));
