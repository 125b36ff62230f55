import { splitParts } from "../../terms/file/split-parts.ts";
import { formatPoints, isPoints, sumPoints } from "../../terms/points.ts";
import { ApiProblem, ClientError, InvalidArgument, UnexpectedReply } from "./client-error.ts";
import { batchDigest, canonicalBatchText, sha256, verifyDigest } from "./digest.ts";
import { getBatch } from "./get-batch.ts";
import { PAYOUT_PATH } from "./paths.ts";
import { ifFound } from "./payouts.ts";
import { readOfContract } from "./read-contract.ts";
import { isRefused } from "./retry-policy.ts";
import type { BatchStatus, NewBatch, ProblemCode } from "./shapes.ts";
import { dryRunBatch, submitBatch } from "./submit-batch.ts";
import { type CallOptions, type ClientContext, readNumber } from "./transport.ts";

const TRANSFERS_MAX_DEFAULT = 2_000;
/** Leaves room in an id for the number of the part. */
const ID_PREFIX = /^(?!\.{1,2}$)[A-Za-z0-9._:~-]{1,56}$/;
const PART_DIGITS = 3;
const HASH_DIGITS = 32;

export interface PlanOptions {
  /**
   * Begins the id of every part: `payout-7.001`, `payout-7.002`, …, and is the parts' `payoutId` if the list
   * has none. One that is derived from the contract, the type and the transfers when absent, so that the same
   * list has the same ids. Give a list that is paid again another one.
   */
  idPrefix?: string;
  /** Transfers per batch, as the service is configured: 2,000 when absent. */
  transfersMax?: number;
}

/**
 * - `planned`: not sent yet
 * - `ready`: a dry run passed
 * - `sending`: sent, and no reply has confirmed it; it may be stored
 * - `stored`: the service has it
 * - `verified`: it was read back, and is what was sent
 * - `refused`: the service refused it
 */
export type PartState = "planned" | "ready" | "sending" | "stored" | "verified" | "refused";

/** One batch of a payout, and what is known about it. `submitAll` updates it. */
export interface PayoutPart {
  /** Another one once the rows of a cancelled batch are sent again. */
  batchId: string;
  readonly batch: NewBatch & { payoutId: string };
  /** The total of its transfers, a decimal string. */
  readonly points: string;
  readonly digest: string;
  state: PartState;
  /** Whether an earlier run had stored it. */
  replayed: boolean;
  finalizeAt: string | null;
  /** As it was when the part was verified; null before. */
  status: BatchStatus | null;
  /** Another batch with the same transfers, which this part would pay again; null when there is none. */
  sameTransfersAs: string | null;
  /** Until the service's staff have approved it, it is not finalized, even if it is due. */
  awaitingApproval: boolean;
}

/** What `confirm` can show to a person. Decimal strings. */
export interface PayoutFunds {
  /** What the contract has available now. */
  available: string;
  /** The total of the parts that are not stored yet. */
  needed: string;
  /** How many addresses that is for, as a number. */
  recipients: number;
  /** What the service would issue to the contract, because it lacks it. */
  issued: string;
}

export interface SubmitAllOptions extends CallOptions {
  /** Called after all dry runs, before the first submit. Unless it returns true, nothing is sent. */
  confirm?: (funds: PayoutFunds) => boolean | Promise<boolean>;
  /**
   * Sends the rows of a part whose batch was cancelled under the next id, `payout-7.001-2`. Otherwise the
   * part is refused, unless an earlier run has sent them.
   */
  resendCancelled?: boolean;
  /** Called whenever a part has changed. */
  onPart?: (part: PayoutPart) => void;
}

/**
 * Splits a list of any length into batches with lasting ids: the same list and prefix always become the same
 * parts. A list may pay an address several times if each of these transfers has its own reference.
 * @throws InvalidArgument
 */
export async function planPayout(
  contractAddress: string,
  payout: NewBatch,
  options: PlanOptions = {},
): Promise<PayoutPart[]> {
  const { transfers, ...terms } = payout;
  const size = readNumber("transfersMax", options.transfersMax, TRANSFERS_MAX_DEFAULT, 1);
  const idPrefix = options.idPrefix ?? (await idPrefixOf(contractAddress, payout));
  if (!ID_PREFIX.test(idPrefix))
    throw new InvalidArgument("An `idPrefix` has 1 to 56 of A-Z a-z 0-9 . _ : ~ -, and not just dots.");
  const parts: PayoutPart[] = [];
  for (const rows of splitParts(transfers, size)) {
    const batch = { ...terms, payoutId: terms.payoutId ?? idPrefix, transfers: rows };
    parts.push({
      // Always numbered: with another limit, a list that was one part must not get other ids.
      batchId: `${idPrefix}.${String(parts.length + 1).padStart(PART_DIGITS, "0")}`,
      batch,
      state: "planned",
      status: null,
      replayed: false,
      points: sumOf(batch.transfers.map(({ points }) => points)),
      finalizeAt: null,
      digest: await batchDigest(contractAddress, batch),
      sameTransfersAs: null,
      awaitingApproval: false,
    });
  }
  return parts;
}

/** Without wait and order: a list that was sorted meanwhile conflicts, and is not paid twice. */
async function idPrefixOf(contractAddress: string, { pointType, transfers }: NewBatch): Promise<string> {
  const [, contract, type, , ...rows] = canonicalBatchText(contractAddress, { pointType, transfers }).split(
    "\n",
  );
  return `payout-${(await sha256([contract, type, ...rows.sort()].join("\n"))).slice(0, HASH_DIGITS)}`;
}

/** Exact. @throws InvalidArgument */
function sumOf(amounts: readonly string[]): string {
  const wrong = amounts.find((amount) => !isPoints(amount));
  if (wrong !== undefined) throw new InvalidArgument(`"${wrong}" is not an amount, such as "10.5".`);
  return formatPoints(sumPoints(amounts));
}

/** What the service refuses of one part alone, for its content: the others are still looked at. */
export const PART_PROBLEMS: readonly ProblemCode[] = [
  "batch_cancelled",
  "batch_id_conflict",
  "reference_already_paid",
  "validation_failed",
];

/** Of a part whose rows were sent again, without the number of that. */
const firstIdOf = (batchId: string) => batchId.replace(/(\.\d{3,})-\d+$/, "$1");
const prefixOf = (batchId: string) => firstIdOf(batchId).replace(/\.\d+$/, "");

const OTHERS_SHOWN = 5;

/** A list without rows that an earlier one had would seem to be all that is paid. @throws InvalidArgument */
async function refuseOthers(ctx: ClientContext, parts: readonly PayoutPart[], call: CallOptions) {
  const [prefix, payoutId] = [prefixOf(parts[0]!.batchId), parts[0]!.batch.payoutId];
  // Several lists may be one payout. Then only the batches with this list's prefix are its own.
  const isWhole = prefix === payoutId;
  const reply = await ifFound(readOfContract(ctx, [PAYOUT_PATH, { payoutId }], "payout", call));
  if (!reply) return;
  const { parts: listed, batchCount, counts } = reply.payout;
  const own = new Set(parts.map(({ batchId }) => firstIdOf(batchId)));
  const others = listed.filter(
    ({ id, status }) =>
      status !== "CANCELLED" && !own.has(firstIdOf(id)) && (isWhole || prefixOf(id) === prefix),
  );
  // Of a payout with more batches than the reply lists, the count alone can say it.
  const stored = parts.filter(({ state }) => state === "stored").length;
  const unlisted = isWhole && batchCount > listed.length ? batchCount - counts.cancelled - stored : 0;
  const count = Math.max(others.length, unlisted);
  const batches = count === 1 ? "1 batch" : `${count} batches`;
  const shown = others.slice(0, OTHERS_SHOWN).map(({ id, points }) => `${id}, ${points}`);
  if (count > 0)
    throw new InvalidArgument(
      `The payout ${payoutId} has ${batches} that this list does not have` +
        `${shown.length > 0 ? `: ${shown.join("; ")}` : ""}. Nothing was sent.`,
    );
}

/** `payout-7.001`, `payout-7.001-2`, `payout-7.001-3`, … */
const nextId = (batchId: string) => {
  const [, first = batchId, number = "1"] = /^(.*\.\d{3,})-(\d+)$/.exec(batchId) ?? [];
  return `${first}-${Number(number) + 1}`;
};

/**
 * Dry-runs every part, then submits those that are not stored yet, one after the other, and reads each back
 * to compare its digest. After a failure or a crash, plan the same list and call it again: nothing is stored
 * twice.
 * @throws InvalidArgument when the payout has batches that the list does not have; ApiProblem,
 * ConnectionFailure, UnexpectedReply with the `batchId` of the part; the state of each part says what was
 * stored. The signal's reason when the caller aborts.
 */
export async function submitAll(
  ctx: ClientContext,
  parts: readonly PayoutPart[],
  options: SubmitAllOptions = {},
): Promise<void> {
  const { confirm, onPart, resendCancelled, ...call } = options;
  const change = (part: PayoutPart, change: Partial<PayoutPart>) => {
    Object.assign(part, change);
    onPart?.(part);
  };
  const attempt = async <T>(part: PayoutPart, send: () => Promise<T>): Promise<T> => {
    try {
      return await send();
    } catch (error) {
      const isCertain = error instanceof ApiProblem && isRefused(error) && !error.outcomeUnknown;
      if (isCertain && part.state !== "stored") change(part, { state: "refused" });
      else if (error instanceof ClientError && part.state === "sending" && !error.outcomeUnknown)
        change(part, { state: "ready" });
      throw error;
    }
  };

  /** @returns why the service refuses this part */
  const dryRun = async (part: PayoutPart): Promise<ApiProblem | null> => {
    const { batch, batchId } = part;
    try {
      const dry = await attempt(part, () => dryRunBatch(ctx, batch, { ...call, batchId }));
      requireSame(part, dry.digest);
      const { replayed, finalizeAt, sameTransfersAs = null, awaitingApproval = false } = dry;
      const ready = { finalizeAt, sameTransfersAs, awaitingApproval };
      change(part, replayed ? { state: "stored", replayed } : { state: "ready", replayed, ...ready });
      return null;
    } catch (error) {
      if (!(error instanceof ApiProblem && PART_PROBLEMS.includes(error.code))) throw error;
      if (error.code !== "batch_cancelled") return error;
      change(part, { state: "planned", batchId: nextId(batchId) });
      const refused = await dryRun(part);
      // An earlier run may have resent it.
      if (refused || resendCancelled || part.state === "stored") return refused;
      change(part, { state: "refused", batchId });
      return error;
    }
  };
  let refusal: ApiProblem | null = null;
  for (const part of parts) {
    const refused = await dryRun(part);
    refusal ??= refused;
  }
  if (refusal) throw refusal;
  if (parts.length > 0) await refuseOthers(ctx, parts, call);
  const open = parts.filter(({ state }) => state === "ready");
  const [first] = open;
  if (first) {
    const needed = sumOf(open.map(({ points }) => points));
    const transfers = open.flatMap(({ batch }) => batch.transfers);
    const recipients = new Set(transfers.map(({ toAddress }) => toAddress.toLowerCase())).size;
    const { batch } = first;
    // As one transfer: each part alone may fit into what the contract has although all together do not.
    const whole = { ...batch, transfers: [{ toAddress: batch.transfers[0]!.toAddress, points: needed }] };
    const { availableBefore: available, issued } = await dryRunBatch(ctx, whole, call);
    if (confirm && !(await confirm({ available, needed, recipients, issued }))) return;
  }
  for (const part of open) {
    const { batch, batchId } = part;
    change(part, { state: "sending" });
    const { replayed } = await attempt(part, () => submitBatch(ctx, batch, { ...call, batchId }));
    change(part, { state: "stored", replayed });
  }
  for (const part of parts) {
    const stored = await getBatch(ctx, part.batchId, call);
    requireSame(part, (await verifyDigest(stored)) ? stored.digest : "another");
    const { finalizeAt, status, awaitingApproval = false } = stored;
    change(part, { state: "verified", finalizeAt, status, awaitingApproval });
  }
}

function requireSame({ batchId, digest }: PayoutPart, found: string): void {
  if (found === digest) return;
  const error = new UnexpectedReply(200, `The service has other content for ${batchId} than was sent.`);
  error.batchId = batchId;
  throw error;
}
