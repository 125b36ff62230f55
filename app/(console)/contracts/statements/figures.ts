import type { StatementOut } from "@/server/statements/statement-schema";

type Figure = Exclude<keyof StatementOut, "pointType">;

/** In the order in which they add up. `sign` is shown before an amount that is not a balance. */
export const MOVEMENTS = [
  { key: "issued", name: "Issued", hint: "Issued on demand, or granted by staff", sign: "+" },
  { key: "received", name: "Received", hint: "From other contracts, by the time of finalizing", sign: "+" },
  { key: "sent", name: "Sent", hint: "By batches that were finalized in the month", sign: "−" },
] as const satisfies readonly { key: Figure; name: string; hint: string; sign: string }[];

/** They change no balance. */
export const BESIDES = [
  {
    key: "pending",
    name: "Pending",
    hint: "Part of the closing balance that is reserved by batches neither finalized nor cancelled by then",
  },
  {
    key: "cancelled",
    name: "Cancelled",
    hint: "Batches cancelled in the month. Their points stayed with the contract",
  },
] as const satisfies readonly { key: Figure; name: string; hint: string }[];
