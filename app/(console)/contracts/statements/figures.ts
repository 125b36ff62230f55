import type { StatementOut } from "@/server/statements/schema";

export interface Figure {
  key: Exclude<keyof StatementOut, "pointType">;
  name: string;
  /** Of a balance, the page says its time instead. */
  hint?: string;
  /** Precedes the amount. */
  sign?: "+" | "−";
  isTotal?: true;
}

/** In the order in which they add up. The last two change no balance. */
export const FIGURES: readonly Figure[] = [
  { key: "opening", name: "Opening", isTotal: true },
  { key: "issued", name: "Issued", hint: "Issued on demand, or granted by staff", sign: "+" },
  {
    key: "received",
    name: "Received",
    hint: "From other contracts, in batches finalized in the month",
    sign: "+",
  },
  {
    key: "takenBack",
    name: "Taken back",
    hint: "From recipients, by the contract's reversals finalized in the month",
    sign: "+",
  },
  { key: "sent", name: "Sent", hint: "In batches finalized in the month", sign: "−" },
  {
    key: "givenBack",
    name: "Given back",
    hint: "To other contracts, by their reversals finalized in the month",
    sign: "−",
  },
  { key: "closing", name: "Closing", isTotal: true },
  {
    key: "pending",
    name: "Pending",
    hint:
      "Part of the closing balance, reserved by batches " +
      "that were neither finalized nor cancelled by then",
  },
  {
    key: "cancelled",
    name: "Cancelled",
    hint: "In batches cancelled in the month. The points stayed with the contract",
  },
];
