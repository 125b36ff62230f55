import { randomBytes } from "node:crypto";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import type { Caller } from "./world";

/** One run of load. It has its own process, so that it does not slow down the measured one. */
export interface LoadPlan {
  url: string;
  seconds: number;
  work: SubmitWork | { query: string } | { paths: string[] };
  /** Each connection sends at most one request in this time. */
  everyMs?: number;
  callers: Caller[];
}

export interface SubmitWork {
  transfers: number;
  /** `eip55`: mixed case, each new to the service. `lower`: lower case. */
  letters: "eip55" | "lower";
  /** Different bodies, sent in turn. */
  bodies: number;
  secondsToFinalize?: number;
}

/** Rows that no earlier batch had. */
export function makeTransfers({ transfers, letters }: Pick<SubmitWork, "transfers" | "letters">) {
  return Array.from({ length: transfers }, (_, at) => {
    const bytes = randomBytes(20);
    const toAddress = letters === "lower" ? `0x${bytes.toString("hex")}` : addressFromBytes(bytes);
    return { toAddress, points: `${1 + (at % 997)}.${String(at % 100).padStart(2, "0")}1` };
  });
}
