import type { StatementOut } from "@/server/statements/statement-schema";

type Figure = Exclude<keyof StatementOut, "pointType">;

/** In the order in which they add up. `isRare` ones have a row only when one of the types has such points. `sign` is shown before an amount that is not a balance. */
export const MOVEMENTS = [
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
    isRare: true,
  },
  { key: "sent", name: "Sent", hint: "In batches finalized in the month", sign: "−" },
  {
    key: "givenBack",
    name: "Given back",
    hint: "To other contracts, by their reversals finalized in the month",
    sign: "−",
    isRare: true,
  },
] as const satisfies readonly { key: Figure; name: string; hint: string; sign: string; isRare?: true }[];

/** They change no balance. */
export const BESIDES = [
  {
    key: "pending",
    name: "Pending",
    hint: "Part of the closing balance, reserved by batches that were neither finalized nor cancelled by then",
  },
  {
    key: "cancelled",
    name: "Cancelled",
    hint: "In batches cancelled in the month. The points stayed with the contract",
  },
] as const satisfies readonly { key: Figure; name: string; hint: string }[];
