import { listWalletClaims } from "@/server/allocations/get-claim";
import { cached } from "@/server/kernel/cached";
import type { ServiceContext } from "@/server/kernel/context";
import { single } from "@/server/kernel/process";
import { rateLimited } from "@/server/kernel/retry-after";
import { turnsPerKey } from "@/server/kernel/turns";
import { describeRecipient } from "@/server/recipients/describe-recipient";
import { listReceived } from "@/server/recipients/list-received";
import { readHolding } from "@/server/recipients/read-holding";
import type { HoldingInput, ReceivedTransfer } from "@/server/recipients/schema";
import { addressKey } from "@/terms/address-text";
import type { Wallet, WalletInput, WalletTransfer } from "./schema";

const KEPT_SECONDS = 30;
/** Each is 8 kB of HTML. */
const TRANSFERS_SHOWN = 25;

const WAITING_MAX = 20;
const WAIT_SECONDS_MAX = 2;

/** One after the other, so that visitors never take more than one of a process's connections. */
const line = () => single("line of wallets", () => turnsPerKey(1, WAITING_MAX, WAIT_SECONDS_MAX));

/** At most half a minute old. @throws DomainError `rate_limited` */
const kept = <T>(group: string, key: string, read: () => Promise<T>): Promise<T> => {
  const busy = () => rateLimited("Many wallets are being read.", WAIT_SECONDS_MAX);
  return cached(group, key, KEPT_SECONDS, () => line().run("wallets", read, busy));
};

/** @throws DomainError `invalid_cursor`, `cursor_mismatch`, `rate_limited` */
export const cachedWallet = (ctx: ServiceContext, input: WalletInput) =>
  kept("wallets", `${addressKey(input.address)} ${input.cursor ?? ""}`, () => readWallet(ctx, input));

/** What it held at an instant. @throws DomainError `rate_limited`, and what `readHolding` throws */
export const cachedHolding = (ctx: ServiceContext, input: HoldingInput) =>
  kept("holdings", `${addressKey(input.address)} ${input.at}`, () => readHolding(ctx, input));

/** Its claims in published allocations. @throws DomainError `rate_limited` */
export const cachedClaims = (ctx: ServiceContext, { address }: { address: string }) =>
  kept("wallet claims", addressKey(address), () => listWalletClaims(ctx, { address }));

async function readWallet(ctx: ServiceContext, { address, cursor }: WalletInput): Promise<Wallet> {
  const page = await listReceived(ctx, { address, cursor, limit: TRANSFERS_SHOWN });
  const recipient = await describeRecipient(ctx, { address });
  return {
    address: recipient.address,
    isContract: recipient.contractLabel !== null,
    points: recipient.points,
    isWhole: recipient.isWhole,
    // Points that a contract took back were not paid to it, nor those of cancelled batches.
    transfers: page.transfers
      .filter(({ reverses, cancelledAt }) => reverses === null && cancelledAt === null)
      .map(toWalletTransfer),
    cursor: page.cursor,
    listedUntil: page.indexedUntil,
    readAt: page.now,
  };
}

function toWalletTransfer(transfer: ReceivedTransfer): WalletTransfer {
  const { contractAddress, contractLabel, batchId, pointType, points, creditedAt } = transfer;
  return { contractAddress, contractLabel, batchId, pointType, points, creditedAt, ...stateOf(transfer) };
}

/** A hold looks like a wait for approval. A reversal may be cancelled, so it is shown once finalized. */
function stateOf(transfer: ReceivedTransfer): Pick<WalletTransfer, "state" | "at"> {
  const { status, reversedBy, heldAt, awaitsApproval, finalizeAt } = transfer;
  if (reversedBy?.status === "FINALIZED") return { state: "TAKEN_BACK", at: reversedBy.updatedAt };
  if (status === "FINALIZED") return { state: "RECEIVED", at: null };
  return heldAt || awaitsApproval ? { state: "DELAYED", at: null } : { state: "EXPECTED", at: finalizeAt };
}
