import { randomBytes } from "node:crypto";
import { addressFromBytes } from "@/server/kernel/values/addresses";
import type { AddressLetters, LoadCaller, LoadPlan, SubmitWork } from "./load-plan";

export interface Transfer {
  toAddress: string;
  points: string;
}

/** The bytes of every request, prepared before the clock starts. */
export function makeRequests(plan: LoadPlan): Buffer[] {
  const { work, callers } = plan;
  if (work.kind === "get") {
    return callers.flatMap((caller, at) =>
      work.targets.map((target) => {
        const path = pathFor(target, caller, at).replace("{cursor}", work.cursors?.[at] ?? "");
        return requestBytes(plan.url, "GET", path, caller);
      }),
    );
  }
  return Array.from({ length: work.bodies }, (_, at) => {
    const caller = callers[at % callers.length]!;
    const { contractAddress } = caller;
    const batch = { pointType: "PHASE2_POINTS", secondsToFinalize: 3600, transfers: makeTransfers(work) };
    const [path, body] =
      work.api === "payload"
        ? [PAYLOAD_PATH, { contractAddress, ...batch }]
        : [`/v1/contracts/${contractAddress}/batches`, batch];
    return requestBytes(plan.url, "POST", path, caller, JSON.stringify(body));
  });
}

/** The reply omits the rows, as ours does, which makes Payload faster. */
const PAYLOAD_PATH = "/api/batches?depth=0&select[status]=true";

/** `{seed}` is the id of a seeded batch of the caller (seed.ts). */
const pathFor = (target: string, { contractAddress }: LoadCaller, at: number) =>
  target.replace("{contract}", contractAddress).replace("{seed}", `seed-${at}`);

/** Rows that no earlier batch had. */
export function makeTransfers({ transfers, letters }: Pick<SubmitWork, "transfers" | "letters">): Transfer[] {
  return Array.from({ length: transfers }, (_, at) => ({
    toAddress: makeAddress(letters),
    points: pointsOfRow(at),
  }));
}

export const pointsOfRow = (at: number): string => `${1 + (at % 997)}.${String(at % 100).padStart(2, "0")}1`;

function makeAddress(letters: AddressLetters): string {
  const bytes = randomBytes(20);
  return letters === "lower" ? `0x${bytes.toString("hex")}` : addressFromBytes(bytes);
}

/** Mixed-case; the same number gives the same address. */
export function addressNumbered(number: number): string {
  const bytes = Buffer.alloc(20, 0xab);
  bytes.writeUIntBE(number, 8, 6);
  return addressFromBytes(bytes);
}

function requestBytes(url: string, method: string, path: string, caller: LoadCaller, body = ""): Buffer {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    ...(caller.token ? [`Authorization: Bearer ${caller.token}`] : []),
    ...(body ? ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`] : []),
    "",
    "",
  ].join("\r\n");
  return Buffer.from(head + body);
}
