import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { batchKey } from "@/app/(console)/batch-key";
import { partId } from "@/app/(console)/batches/new/prepare/batch-fields";
import { batchesOf, IN_DOUBT, markOf, STATUS_LOOKS } from "@/app/(console)/batches/status";
import { waitOf } from "@/app/(console)/batches/wait-field";
import { batchPath, payoutPath } from "@/app/(console)/paths";
import { problemOf, type ShownProblem, withRetries } from "@/app/data/problem";
import { useTRPCClient } from "@/app/data/trpc";
import { counted, formatAmount, formatCount } from "@/app/ui/amount";
import { notify } from "@/app/ui/toast";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import type { Metadata, PointType } from "@/terms/batch-terms";
import type { Part, Transfer } from "@/terms/file/checked";
import { FileProblem } from "@/terms/file/decode-file";
import { paysAgain } from "@/terms/finding-text";
import { type BatchReview, isOdd, LEVELS } from "@/terms/findings";
import { formatPoints, parseSum } from "@/terms/points";

export interface Plan {
  contractAddress: string;
  contractLabel: string;
  issuance: "ON_DEMAND" | "PREFUNDED";
  pointType: PointType;
  secondsToFinalize: number;
  /** The payout's ID, which its batches' IDs begin with; of the correction of a batch its own. */
  idPrefix: string;
  /** Of every part. */
  metadata: Metadata;
  /** ID of the cancelled batch of the same contract that it corrects. */
  corrects?: string;
  fileName: string;
  /** Which of the file's columns are paid. */
  readAs: string;
  /** What else is to be known of how the file was read. */
  notes: readonly string[];
  /** Those of the notes that speak against paying the rows as they are. */
  doubts: readonly string[];
  rowCount: number;
  points: string;
  parts: Part[];
  /** The rows stay in the worker that checked them. */
  readRows: (part: number) => Promise<Transfer[]>;
}

/** With what is known of the list that it was submitted as a part of. */
type StoredPart = ConsoleBatch & { listPoints: string | null; listDigest: string | null };

export type PartState =
  | { kind: "waiting" }
  | { kind: "trying" }
  | {
      kind: "ready";
      finalizeAt: string;
      available: string;
      review: BatchReview | null;
      /** With all parts: a rule weighs a file as a whole. */
      awaitsApproval: boolean;
      digest: string;
    }
  | { kind: "sending" }
  /** `before`: as an earlier submit of the same rows stored it. */
  | { kind: "stored"; finalizeAt: string; available: string; digest: string; before: StoredPart | null }
  /** Sent, and no answer says whether it is stored. */
  | { kind: "unconfirmed" }
  | {
      kind: "refused";
      problem: ShownProblem & { available?: string };
      /** What has its ID. */
      stored?: ConsoleBatch | undefined;
    };

export const isStored = (part: PartState) => part.kind === "stored";

/** On hold since its submit, until all parts are stored. */
export const isWaiting = (part: PartState) =>
  part.kind === "stored" && (!part.before || (part.before.heldForPayout && !part.before.heldApart));

export const isInUse = (part: PartState): part is Extract<PartState, { kind: "refused" }> =>
  part.kind === "refused" && part.problem.code === "batch_id_conflict";

/** What became of batches that were all submitted before. */
export function storedBefore(batches: readonly ConsoleBatch[], nowMs: number): string {
  const labels = batches.map((batch) =>
    STATUS_LOOKS[markOf(batch, nowMs) ?? batch.status].label.toLowerCase(),
  );
  const shares = [...new Set(labels)].map((label) => {
    const count = labels.filter((other) => other === label).length;
    return count < labels.length
      ? `${formatCount(count)} ${label}`
      : `${count === 1 ? "It is" : "All are"} ${label}`;
  });
  const what = labels.length === 1 ? "This batch was" : `These ${batchesOf(labels.length)} were`;
  return `${what} submitted before. ${shares.join(", ")}.`;
}

/** How the API says that only something else than the transfers differs (submit-errors.ts). */
const ONLY_DIFFERS = /with the same .+\. Only (.+) differs?\.$/;

/** What to do about IDs that are in use, so that nobody is paid twice. Null if none is. */
export function conflictOf(states: readonly PartState[], idPrefix: string, nowMs: number) {
  const conflicts = states.filter(isInUse);
  if (conflicts.length === 0) return null;
  const named = conflicts.map(({ problem }) => ONLY_DIFFERS.exec(problem.detail)?.[1]);
  const found = conflicts.flatMap(({ stored }) => stored ?? []);
  const isKnown = found.length === conflicts.length;
  const isSame = !named.includes(undefined);
  const isPaid =
    states.some(isStored) || conflicts.some(({ stored }, at) => named[at] && stored?.status !== "CANCELLED");
  const isOff = isKnown && found.every(({ status }) => status === "CANCELLED");
  const { amount, unit } = waitOf(
    found[0] ? (Date.parse(found[0].finalizeAt) - Date.parse(found[0].createdAt)) / 1000 : 0,
  );
  const isWait = found.length > 0 && named.every((name) => name === "the wait");
  const undo = isWait ? `enter ${counted(Number(amount), unit.slice(0, -1), unit)}` : "undo what differs";
  const isOver = found.length === states.length && found.every(({ status }) => status === "FINALIZED");
  const text = [
    isSame && isKnown
      ? storedBefore(found, nowMs)
      : `Batches with ${isSame ? "the same transfers" : "different content"} were submitted under this ID.`,
    isPaid && "Another ID would pay the same rows twice.",
    !isPaid && isOff && "To pay these rows, go back and use another ID.",
    // Whether they share rows is not known: one more row moves all that follow it.
    !isPaid && !isOff && "Another ID would pay rows in both twice, so view what was submitted first.",
    isPaid && isSame && !isOver && `To continue, go back and ${undo}.`,
    isPaid && !isSame && "Cancel those batches, or remove the rows that they pay from the file.",
  ];
  return { title: `The ID ${idPrefix} is already in use`, text: text.filter(Boolean).join(" ") };
}

const isOneCorrection = ({ corrects, parts }: Pick<Plan, "corrects" | "parts">) =>
  corrects !== undefined && parts.length === 1;

export const idOfPart = (plan: Plan, part: number) =>
  isOneCorrection(plan) ? plan.idPrefix : partId(plan.idPrefix, part);

const storable = (text: string, most: number) =>
  (text.length > most ? `${text.slice(0, most - 1)}…` : text).replaceAll(/[\0\p{Surrogate}]/gu, "");

const pathOf = (plan: Plan) =>
  plan.parts.length === 1
    ? batchPath({ ...plan, id: idOfPart(plan, 0) })
    : payoutPath({ ...plan, id: plan.idPrefix });

/** What links this part to the others. A correction joins the payout of the batch that it corrects. */
export function payoutOfPart(plan: Plan, part: number, digest?: string) {
  const { fileName, readAs, doubts, parts, points } = plan;
  if (isOneCorrection(plan)) return {};
  const place = { part: part + 1, partCount: parts.length };
  // A line each, for the person who releases it.
  const lines = [readAs, ...doubts.map((doubt) => IN_DOUBT + doubt)];
  const read = lines.map((line) => line.replaceAll(/\s+/g, " ")).join("\n");
  const file = { fileName: storable(fileName, 255) || "file", readAs: storable(read, 4000) };
  return { payout: { id: plan.idPrefix, ...place, ...file, points, ...(digest && { digest }) } };
}

/** By the parts' own digests and places: order counts, as it does for those that are stored. */
function digestOfList(states: readonly PartState[]): string {
  let sum = 0n;
  for (const [at, state] of states.entries())
    if ("digest" in state) sum += BigInt(at + 1) * BigInt(`0x${state.digest}`);
  return sum.toString(16);
}

/**
 * How the list compares with the one that the stored parts were submitted with, as of the last of them. Their
 * own rows are the same. Null if nothing or everything is stored.
 */
export function compareList({ parts, points }: Pick<Plan, "parts" | "points">, states: readonly PartState[]) {
  const before = states.flatMap((state) => (state.kind === "stored" && state.before) || []).at(-1);
  const isKnown = states.every(({ kind }) => kind === "stored" || kind === "ready");
  if (!before || !isKnown || states.every(isStored)) return null;
  const { listPoints, listDigest, payout } = before;
  const partCount = payout?.partCount ?? parts.length;
  // Parts that are numbered by different totals are not released.
  const mayContinue = partCount === parts.length;
  const isOtherTotal = listPoints !== null && listPoints !== points;
  const areOtherRows = !isOtherTotal && listDigest !== null && listDigest !== digestOfList(states);
  if (mayContinue && !isOtherTotal && !areOtherRows) {
    const compared = listPoints === null ? "nothing of them" : "only the total";
    const unknown = `Check that the other rows are unchanged: ${compared} was compared.`;
    const text = listDigest === null ? unknown : "This is the same list as before.";
    return { text, isChanged: false, mayContinue };
  }
  const text = [
    isOtherTotal &&
      `It has ${formatAmount(points)} in all, and the list of this payout had ${formatAmount(listPoints)}.`,
    areOtherRows && "Its total is the same, but rows that are not submitted yet, or their order, are not.",
    !mayContinue && `It makes ${batchesOf(parts.length)}, and that list made ${formatCount(partCount)}.`,
    `Choose the first list again, or ${mayContinue ? "confirm the change" : "cancel the payout first"}. ` +
      "Another ID would pay the submitted rows twice, unless the payout is cancelled.",
  ];
  return { text: text.filter(Boolean).join(" "), isChanged: true, mayContinue };
}

/** The contract's balance after all parts that are not stored yet; null until the first reply. */
export function forecastFunds(plan: Pick<Plan, "parts" | "issuance">, states: readonly PartState[]) {
  const before = states.map(availableOf).find((available) => available !== undefined);
  if (before === undefined) return null;
  const available = parseSum(before);
  const needed = plan.parts.reduce(
    (sum, part, index) => (isStored(states[index]!) ? sum : sum + parseSum(part.points)),
    0n,
  );
  const short = needed > available ? needed - available : 0n;
  const isPrefunded = plan.issuance === "PREFUNDED";
  return {
    before,
    after: formatPoints(needed > available ? 0n : available - needed),
    /** To an on-demand contract. */
    issued: formatPoints(isPrefunded ? 0n : short),
    /** What a prefunded contract still needs. */
    shortfall: formatPoints(isPrefunded ? short : 0n),
  };
}

function availableOf(state: PartState): string | undefined {
  if (state.kind === "ready" || state.kind === "stored") return state.available;
  return state.kind === "refused" ? state.problem.available : undefined;
}

/** Problems of a single part. The remaining parts are still checked. */
const OWN_PROBLEMS = [
  "batch_id_conflict",
  "batch_cancelled",
  "insufficient_points",
  "reference_already_paid",
  "validation_failed",
];

/** What is known about a part after its dry run or submit failed. */
export function failedPart(error: unknown, kind: "trying" | "sending"): PartState {
  const problem = shownProblem(error);
  if (OWN_PROBLEMS.includes(problem.code ?? "")) return { kind: "refused", problem };
  const { status = Number.POSITIVE_INFINITY } = problem;
  const isUnknown = kind === "sending" && status >= 500 && !(error instanceof FileProblem);
  return { kind: isUnknown ? "unconfirmed" : "waiting" };
}

const reviewOf = (state: PartState) => (state.kind === "ready" ? state.review : null);

/** Whether a review asks for a check of something that the earlier one did not report. */
export function hasNewFinding(before: BatchReview | null, now: BatchReview): boolean {
  const known = before?.repeats.batches.map(({ id }) => id) ?? [];
  const isAsked = isOdd(now.repeats.level) || paysAgain(now);
  const isRepeat = isAsked && now.repeats.batches.some(({ id }) => !known.includes(id));
  const isRaised = (["total", "largestTransfer", "recipients", "share"] as const).some((finding) => {
    const [earlier, later] = [before?.[finding]?.level ?? "expected", now[finding]?.level ?? "expected"];
    return isOdd(later) && LEVELS.indexOf(later) > LEVELS.indexOf(earlier);
  });
  return isRepeat || isRaised;
}

interface Run {
  phase: "trying" | "ready" | "sending" | "failed" | "done";
  states: PartState[];
  problem: ShownProblem | null;
  /** The user confirmed it, so some parts may be stored. */
  hasSent: boolean;
  /** The review was made again at the submit, and found something new. */
  isChanged: boolean;
}

const startOf = (plan: Plan): Run => ({
  phase: "trying",
  states: plan.parts.map(() => ({ kind: "waiting" })),
  problem: null,
  hasSent: false,
  isChanged: false,
});

/**
 * Dry-runs the plan, then submits it on request. A file of several batches is stored on hold, and then
 * released as a whole. Leaving the page ends the run; submitting the same rows again stores each
 * part once.
 */
export function usePlanRun(plan: Plan) {
  const client = useTRPCClient();
  const router = useRouter();
  const [run, setRun] = useState(() => startOf(plan));
  const current = useRef<AbortController>(undefined);
  /** Of each part, what the user was shown before the submit. */
  const reviewed = useRef<(BatchReview | null)[]>([]);
  const compared = useRef<string>(undefined);

  /** The run before it is aborted, and shows nothing any more. */
  const begin = useCallback((start: Run) => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    const { signal } = controller;
    let latest = start;
    const show = (change: Partial<Run>) => {
      if (signal.aborted) return;
      latest = { ...latest, ...change };
      setRun(latest);
    };
    const showPart = (part: number, state: PartState) => show({ states: latest.states.with(part, state) });
    show(start);
    return { signal, show, showPart, states: () => latest.states };
  }, []);

  /** Dry-runs what is not stored. @returns what is known then; null when the run ended */
  const tryParts = useCallback(
    async ({ signal, show, showPart, states }: ReturnType<typeof begin>) => {
      for (const [part, state] of states().entries()) {
        if (isStored(state)) continue;
        if (signal.aborted) return null;
        showPart(part, { kind: "trying" });
        try {
          const input = await inputOf(plan, part);
          const tried = await withRetries(signal, () =>
            client.console.batches.tryOut.mutate(input, { signal }),
          );
          const { finalizeAt, availableBefore, digest, review, stored, awaitingApproval } = tried;
          const reply = { finalizeAt, available: availableBefore, digest };
          showPart(
            part,
            stored
              ? { kind: "stored", ...reply, before: stored }
              : { kind: "ready", ...reply, review, awaitsApproval: awaitingApproval === true },
          );
        } catch (error) {
          const failed = failedPart(error, "trying");
          if (isInUse(failed)) {
            const keys = [batchKey({ ...plan, id: idOfPart(plan, part) })];
            const found = client.console.batches.refresh.query({ keys }, { signal });
            failed.stored = (await found.catch(() => null))?.batches[0];
          }
          showPart(part, failed);
          if (failed.kind === "refused") continue;
          show({ phase: "failed", problem: shownProblem(error) });
          return null;
        }
      }
      return signal.aborted ? null : states();
    },
    [client, plan],
  );

  const tryOut = useCallback(async () => {
    const begun = begin(startOf(plan));
    const states = await tryParts(begun);
    if (!states) return;
    reviewed.current = states.map(reviewOf);
    compared.current = compareList(plan, states)?.text;
    begun.show({ phase: "ready" });
  }, [begin, tryParts, plan]);

  const send = async () => {
    const begun = begin({ ...run, phase: "sending", problem: null, isChanged: false });
    const { signal, show, showPart } = begun;
    const { contractAddress, idPrefix: id } = plan;
    // Somebody may have submitted the same rows meanwhile, such as in another tab under other IDs.
    const states = await tryParts(begun);
    if (!states) return;
    const reviews = states.map(reviewOf);
    const list = compareList(plan, states);
    const isChanged =
      (list?.isChanged === true && list.text !== compared.current) ||
      reviews.some((now, part) => now && hasNewFinding(reviewed.current[part] ?? null, now));
    compared.current = list?.text;
    reviewed.current = reviews.map((now, part) => now ?? reviewed.current[part] ?? null);
    if (isChanged || states.some(({ kind }) => kind === "refused"))
      return show({ phase: "ready", isChanged });
    show({ hasSent: true });
    const listDigest = digestOfList(states);
    let sending: number | undefined;
    try {
      for (const [part, state] of states.entries()) {
        if (state.kind !== "ready") continue;
        if (signal.aborted) return;
        sending = part;
        showPart(part, { kind: "sending" });
        const input = await inputOf(plan, part, listDigest);
        const { finalizeAt } = await withRetries(signal, () =>
          client.console.batches.submit.mutate(input, { signal }),
        );
        showPart(part, { ...state, kind: "stored", finalizeAt, before: null });
      }
      sending = undefined;
      if (plan.parts.length > 1) {
        const waiting = plan.parts.filter((_, part) => !isStored(states[part]!) || isWaiting(states[part]!));
        const points = formatPoints(waiting.reduce((sum, part) => sum + parseSum(part.points), 0n));
        const payout = { contractAddress, payoutId: id, seen: { batches: waiting.length, points } };
        const releasing = withRetries(signal, () =>
          client.console.payouts.release.mutate(payout, { signal }),
        );
        // Refused because a part was cancelled meanwhile: the payout's page says what to do.
        await releasing.catch((error) => {
          if (problemOf(error).code !== "validation_failed") throw error;
        });
      }
      if (signal.aborted) return;
      if (plan.parts.length === 1) notify("success", `Batch ${idOfPart(plan, 0)} submitted`);
      // The button that has the focus goes, and the content of the page that opens is new.
      document.getElementById("main")?.focus();
      // In place of the review, to which there is no way back.
      router.replace(pathOf(plan));
      show({ phase: "done" });
    } catch (error) {
      if (sending !== undefined) showPart(sending, failedPart(error, "sending"));
      show({ phase: "failed", problem: shownProblem(error) });
    }
  };

  useEffect(() => {
    void tryOut();
    return () => current.current?.abort();
  }, [tryOut]);

  const stored = run.states.flatMap((state) => (state.kind === "stored" && state.before) || []);
  const before = stored.length === plan.parts.length ? storedBefore(stored, Date.now()) : null;
  const waiting = run.states.filter(isWaiting).length;
  const conflict = conflictOf(run.states, plan.idPrefix, Date.now());
  const inUse = run.states.findIndex(isInUse);
  // A batch that has its ID may be of another payout.
  const path = inUse < 0 ? pathOf(plan) : batchPath({ ...plan, id: idOfPart(plan, inUse) });
  return { ...run, before, list: compareList(plan, run.states), conflict, waiting, path, tryOut, send };
}

async function inputOf(plan: Plan, part: number, listDigest?: string) {
  const { contractAddress, pointType, secondsToFinalize, metadata, corrects } = plan;
  return {
    contractAddress,
    pointType,
    secondsToFinalize,
    metadata,
    batchId: idOfPart(plan, part),
    transfers: await plan.readRows(part),
    ...payoutOfPart(plan, part, listDigest),
    ...(corrects !== undefined && { corrects }),
  };
}

const shownProblem = (error: unknown): ReturnType<typeof problemOf> =>
  error instanceof FileProblem ? { title: "Rows not found", detail: error.message } : problemOf(error);
