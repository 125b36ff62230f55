import "server-only";
import { notFound } from "next/navigation";
import { cache } from "react";
import type { RouteProps } from "@/app/data/page-props";
import { shortenHash } from "@/app/ui/hash-text";
import { toRepeatableError } from "@/server/kernel/to-domain-error";
import { consoleCaller } from "@/server/trpc/caller";
import { type DomainError, PROBLEMS, type ProblemCode } from "@/terms/problems";
import { readBatchKey } from "./batch-key";

type Console = Awaited<ReturnType<typeof consoleCaller>>["console"];

/** Read once per request, for the status, the title, the breadcrumb and the page. */
const once = <Ids extends string[], Read>(read: (caller: Console, ...ids: Ids) => Promise<Read>) =>
  cache(async (...ids: Ids) => read((await consoleCaller()).console, ...ids));

export const readContract = once(({ contracts }, contractAddress: string) =>
  contracts.get({ contractAddress }),
);
export const readBatch = once(({ batches }, contractAddress: string, batchId: string) =>
  batches.get({ contractAddress, batchId }),
);
export const readPayout = once(({ payouts }, contractAddress: string, payoutId: string) =>
  payouts.get({ contractAddress, payoutId }),
);
export const readRecipient = once(({ recipients }, address: string) => recipients.get({ address }));
export const readAllocation = once(({ allocations }, allocationId: string) =>
  allocations.get({ allocationId }),
);

/** The contract's label, or its short address. */
export async function nameOfContract(contractAddress: string): Promise<string> {
  const contract = await readContract(contractAddress).catch(() => null);
  return contract?.label ?? shortenHash(contractAddress);
}

/** Metadata of a page of a contract: `Webhooks for` and its name. */
export const titledByContract =
  (what: string) =>
  async ({ params }: RouteProps<"contractAddress">) => ({
    title: `${what} ${await nameOfContract((await params).contractAddress)}`,
  });

/** The label of the contract or recipient that a page is about, or an allocation's name. Null without. */
export async function labelOf(pathname: string): Promise<string | null> {
  const [section, first = "", second = ""] = pathname.split("/").filter(Boolean);
  try {
    if (section === "contracts" && first) return (await readContract(first)).label;
    if (section === "snapshots" && first === "allocations") return (await readAllocation(second)).name;
    if (section === "recipients" && first) {
      const { contractLabel, label } = await readRecipient(first);
      return contractLabel ?? label;
    }
    const read = section === "batches" ? readBatch : section === "payouts" ? readPayout : null;
    const key = read && readBatchKey({ contractAddress: first, batchId: second });
    return key && (await read(key.contractAddress, key.batchId)).contractLabel;
  } catch {
    return null;
  }
}

/** What was read, or the refusal, if it is one of these. */
export async function readOr<T>(
  read: Promise<T>,
  expected: readonly ProblemCode[],
): Promise<{ value: T; refusal: null } | { value: null; refusal: DomainError }> {
  try {
    return { value: await read, refusal: null };
  } catch (error) {
    const refusal = toRepeatableError(error);
    if (!expected.includes(refusal.code)) throw error;
    return { value: null, refusal };
  }
}

/** For layouts: under a `loading.tsx`, a page cannot answer 404 or 500, since 200 was already sent. */
export async function readOrNotFound(read: Promise<unknown>, missing: ProblemCode): Promise<void> {
  try {
    await read;
  } catch (error) {
    const { code } = toRepeatableError(error);
    if (code === missing || code === "validation_failed") notFound();
    if (PROBLEMS[code].status >= 500) throw error;
  }
}

/** Null when there is none. */
export const unlessMissing = async <T>(read: Promise<T>, missing: ProblemCode): Promise<T | null> =>
  (await readOr(read, [missing])).value;

const BUSY: readonly ProblemCode[] = ["unavailable", "query_timeout", "rate_limited"];

/** Null when the service is too busy to compute it, so that the rest of the page still renders. */
export const unlessBusy = async <T>(computed: Promise<T>): Promise<T | null> =>
  (await readOr(computed, BUSY)).value;
