import type { StatementOut } from "@/server/statements/statement-schema";

type Figure = Exclude<keyof StatementOut, "pointType">;

/** In the order in which they add up. `sign` is shown before an amount that is not a balance. */
export const MOVEMENTS = [
  { key: "issued", name: "Issued", hint: "Issued on demand, or granted by staff", sign: "+" },
  {
    key: "received",
    name: "Received",
    hint: "From other contracts, in batches finalized in the month",
    sign: "+",
  },
  { key: "sent", name: "Sent", hint: "In batches finalized in the month", sign: "−" },
] as const satisfies readonly { key: Figure; name: string; hint: string; sign: string }[];

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
