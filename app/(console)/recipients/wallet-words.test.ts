import { expect, test } from "vitest";
import { verifiedReceipt } from "@/app/r/verify-buttons";
import { wordsOf } from "@/app/r/verify-dialog";
import type { WalletTransfer } from "@/server/receipts/schema";
import type { ReceivedPoints } from "@/server/recipients/schema";
import { type DescribedWallet, describeHolding, describeWallet } from "./wallet-words";

const NOTHING: ReceivedPoints = {
  balance: "0",
  received: "0",
  takenBack: "0",
  expected: "0",
  firstDueAt: null,
  lastDueAt: null,
  overdue: "0",
  overdueSince: null,
  delayed: "0",
  takingBack: "0",
};
const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const at = "2026-11-28T16:30:05.000Z";

interface Given extends Partial<Omit<DescribedWallet, "points">> {
  points?: Partial<ReceivedPoints>;
  gold?: Partial<ReceivedPoints>;
}

const walletOf = ({ points, gold, ...more }: Given): DescribedWallet => ({
  address: ADDRESS,
  at,
  isContract: false,
  isWhole: true,
  points: { PHASE2_POINTS: { ...NOTHING, ...points }, PHASE2_GOLD: { ...NOTHING, ...gold } },
  ...more,
});

const [due, later] = ["2026-11-29T05:36:00.000Z", "2026-11-30T05:36:00.000Z"];
const NOW = `At 2026-11-28 17:30:05 (Europe/Berlin), the wallet ${ADDRESS} has`;

const CASES: [what: string, given: Given, said: string][] = [
  ["that never got anything", {}, "no Points and no Gold. No more transfers are expected."],
  [
    "with one point",
    { points: { balance: "1", received: "1" } },
    "1 Point and no Gold. No more transfers are expected.",
  ],
  [
    "with the smallest amount and a very large one",
    {
      points: { balance: "0.000000000001", received: "0.000000000001" },
      gold: { balance: "199999999999999999999999999.5", received: "199999999999999999999999999.5" },
    },
    "0.000000000001 Points and 199,999,999,999,999,999,999,999,999.5 Gold. No more transfers are expected.",
  ],
  [
    "of which all was taken back",
    { gold: { received: "1", takenBack: "1" } },
    "no Points and no Gold (1 received − 1 taken back). No more transfers are expected.",
  ],
  [
    "that expects one transfer",
    { points: { expected: "1", firstDueAt: due, lastDueAt: due } },
    "no Points and no Gold. 1 Point is expected, due at 2026-11-29 06:36:00.",
  ],
  [
    "that expects several",
    { gold: { balance: "2", received: "2", expected: "5", firstDueAt: due, lastDueAt: later } },
    "no Points and 2 Gold. 5 Gold are expected, due between 2026-11-29 06:36:00 and 2026-11-30 06:36:00.",
  ],
  [
    "with everything at the same time",
    {
      points: {
        balance: "21",
        received: "31.5",
        takenBack: "10.5",
        expected: "5",
        firstDueAt: due,
        lastDueAt: due,
        overdue: "2",
        overdueSince: "2026-11-28T15:00:00.000Z",
        delayed: "1",
        takingBack: "1.5",
      },
    },
    "21 Points (31.5 received − 10.5 taken back) and no Gold. " +
      "5 Points are expected, due at 2026-11-29 06:36:00. 2 Points are late, due since 2026-11-28 16:00:00. " +
      "1 Point is delayed by a check, and may be cancelled. 1.5 Points are about to be taken back.",
  ],
  [
    "with more pending than was read",
    { isWhole: false, points: { delayed: "3" } },
    "no Points and no Gold. 3 Points are delayed by a check, and may be cancelled. " +
      "Too many batches are pending to read them all. There may be more.",
  ],
  [
    "of a contract",
    { isContract: true },
    "no Points and no Gold. No more transfers are expected. This wallet is also a contract. " +
      "Points that were issued to it or that it sent are not counted.",
  ],
];

test.each(CASES)("a wallet %s is described in one paragraph", (_, given, said) => {
  expect(describeWallet(walletOf(given), "Europe/Berlin")).toBe(`${NOW} ${said}`);
});

test("what a wallet held at an earlier instant is said of that instant, without what is pending now", () => {
  const { points } = walletOf({
    points: { balance: "21", received: "31.5", takenBack: "10.5", expected: "5" },
  });
  const held = { address: ADDRESS, isContract: false, points, at };
  expect(describeHolding(held, "UTC")).toBe(
    `At 2026-11-28 16:30:05 (UTC), the wallet ${ADDRESS} had ` +
      "21 Points (31.5 received − 10.5 taken back) and no Gold.",
  );
});

test("a receipt of what was taken back is verified with the words that the wallet no longer has it", () => {
  const said = (state: WalletTransfer["state"]) =>
    wordsOf(verifiedReceipt("0xa", { points: "5", state } as WalletTransfer), true, true);
  const proven = "Proven. The published root contains exactly this transfer.";
  expect(said("RECEIVED")).toBe(proven);
  expect(said("TAKEN_BACK")).toBe(`Taken back later: the wallet no longer has these points. ${proven}`);
});
