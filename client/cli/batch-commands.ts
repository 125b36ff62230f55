import { statSync } from "node:fs";
import { type Command, Option } from "commander";
import { BATCH_ID_PATTERN, BATCH_STATUSES, POINT_TYPES } from "../../terms/batch-terms.ts";
import { counted, formatAmount, formatCount } from "../../terms/output-text.ts";
import { formatPoints, sumPoints } from "../../terms/points.ts";
import { ApiProblem, ClientError } from "../src/client-error.ts";
import type { Client } from "../src/create-client.ts";
import type { Batch, BatchWithTransfers, CancelledPayout, ListQuery, Payout } from "../src/shapes.ts";
import { payoutIdOf } from "./pay.ts";
import { addMetadata, clientOf, optionsOf, positive, READ_TIMEOUT_MS } from "./service.ts";
import { EXIT, Failure, failureOf, Progress, print, say, stopping, table, timeText } from "./terminal.ts";

const LIST_DEFAULT = 20;
const PAGE_MAX = 200;

interface ListOptions {
  status?: Batch["status"];
  type?: Batch["pointType"];
  metadata?: Record<string, string>;
  createdAfter?: string;
  createdBefore?: string;
  oldestFirst?: boolean;
  limit: number;
}

const WHICH_PAYOUT = `
The ID of a payout is its --id-prefix: what the IDs of its batches begin with. Its file is enough if pay had
no other options than --type.`;

type Kind = "batch" | "payout";
type AsOption = { as?: Kind };
const asOption = () =>
  new Option("--as <what>", "needed if a batch and a payout have the ID").choices(["batch", "payout"]);

const isFile = (given: string) => statSync(given, { throwIfNoEntry: false })?.isFile() ?? false;

/** Commands that ask the API once, or page by page. */
export function addBatchCommands(program: Command, signal: AbortSignal): void {
  const client = (command: Command): Client => clientOf(optionsOf(command), READ_TIMEOUT_MS);
  const find = async (given: string, command: Command): Promise<Named> => {
    const { as, ...options } = optionsOf<AsOption>(command);
    const [api, isPath] = [client(command), as !== "batch" && isFile(given)];
    // Files may be named like a batch or a payout.
    const named = !isPath || BATCH_ID_PATTERN.test(given) ? namedBy(given, api, signal, as) : null;
    const found = await named?.catch((error: unknown) => {
      if (!(isPath && error instanceof ApiProblem && error.status === 404)) throw error;
    });
    return found ?? namedBy(await payoutIdOf(given, options, api, signal), api, signal, "payout");
  };

  program
    .command("status <id-or-file>")
    .description("Show a batch or a payout. With --json, also its transfers, or its first 1,000 batches.")
    .addOption(asOption())
    .addHelpText("after", WHICH_PAYOUT)
    .action(async (given: string, _: object, command: Command) => {
      const { batch, payout } = await find(given, command);
      const also = batch && payout ? [["Payout", "One has this ID too: add --as payout"]] : [];
      const rows = batch ? [...rowsOfBatch(batch), ...also] : rowsOfPayout(payout!);
      print(optionsOf(command).json, batch ?? payout, () => table(rows));
    });

  program
    .command("list")
    .description("List batches, the newest first.")
    .addOption(new Option("--status <status>", "only this status").choices(BATCH_STATUSES))
    .addOption(new Option("--type <type>", "only this point type").choices(POINT_TYPES))
    .option("--metadata <key=value>", "only batches with it, repeatable", addMetadata)
    .option("--created-after <time>", "such as 2026-01-31 or 2026-01-31T12:00:00Z")
    .option("--created-before <time>", "the same")
    .option("--oldest-first", "begin with the oldest")
    .option("--limit <n>", "how many", positive, LIST_DEFAULT)
    .addHelpText("after", "\nExample:\n  point-batches list --status PENDING --limit 100 --json")
    .action(async (_: object, command: Command) => {
      const { json, limit, oldestFirst, type, ...options } = optionsOf<ListOptions>(command);
      const { status, metadata, createdAfter, createdBefore } = options;
      const query: ListQuery = {
        status,
        pointType: type,
        metadata,
        createdAfter,
        createdBefore,
        sort: oldestFirst ? "ASC" : "DESC",
        limit: Math.min(limit + 1, PAGE_MAX),
      };
      const found: Batch[] = [];
      for await (const batch of client(command).iterateBatches(query, { signal })) {
        found.push(batch);
        if (found.length > limit) break;
      }
      const isMore = found.splice(limit).length > 0;
      const heads = ["created", "status", "amount", "type", "transfers", "id"];
      const rows = found.map((batch) => [
        timeText(batch.createdAt),
        batch.status,
        signedAmount(batch),
        batch.pointType,
        formatCount(batch.transferCount),
        batch.reverses ? `${batch.id}, takes back ${batch.reverses}` : batch.id,
      ]);
      print(json, found, () => (rows.length === 0 ? "No batches." : table([heads, ...rows])));
      const which = `${oldestFirst ? "oldest" : "newest"} ${formatCount(limit)}`;
      if (isMore) say(`Showing the ${which}. There are more: --limit.`);
    });

  program
    .command("cancel <ids-or-files...>")
    .description("Cancel batches that are still PENDING, or all that are of a payout.")
    .addOption(asOption())
    .addHelpText("after", WHICH_PAYOUT)
    .action(async (ids: string[], { as }: AsOption, command: Command) => {
      const done: Cancelled = { cancelled: [], payouts: [], refused: [], doubtful: null };
      const progress = new Progress();
      stopping.failure = () => {
        progress.clear();
        return stoppedBy(signal.reason, done, ids.length);
      };
      const findOne = async (given: string) =>
        as && !isFile(given) ? { id: given, isPayout: as === "payout" } : theOnly(await find(given, command));
      const how = { api: client(command), findOne, progress, signal };
      await cancelAll(ids, done, how);
      const { refused, cancelled, payouts } = done;
      const text = textOf(done, ids.length);
      if (refused.length > 0)
        throw new Failure(EXIT.refused, [text, ...refused].join("\n"), { cancelled, payouts, refused });
      const result = { success: true, cancelled, ...(payouts.length > 0 && { payouts }) };
      print(optionsOf(command).json, result, () => text);
    });

  program
    .command("balances")
    .description("Show the contract's balances per point type.")
    .action(async (_: object, command: Command) => {
      const balances = await client(command).getBalances({ signal });
      const rows = POINT_TYPES.map((type) => {
        const { available, pendingSent, ...all } = balances[type];
        const sums = [all.earnedCumulative, all.receivedCumulative, all.finalizedSentCumulative];
        return [type, ...[available, pendingSent, ...sums].map(formatAmount)];
      });
      print(optionsOf(command).json, balances, () =>
        table([["type", "available", "pending", "earned", "received", "sent"], ...rows]),
      );
    });

  program
    .command("receipt <id> <address>")
    .description("Print the receipt of a transfer in a finalized batch, as JSON.")
    .action(async (id: string, address: string, _: object, command: Command) =>
      print(true, await client(command).getReceipt(id, address, { signal }), () => ""),
    );
}

/** Null for what does not have the ID. A batch that is all of its payout is not two things. */
type Named = { id: string; batch: BatchWithTransfers | null; payout: Payout | null };

/** @throws ApiProblem if neither has the ID */
async function namedBy(id: string, api: Client, signal: AbortSignal, as?: Kind): Promise<Named> {
  let missing: unknown;
  const none = (error: unknown) => {
    // Older services have no payouts.
    if (!(error instanceof ApiProblem && /^(?:batch_|payout_)?not_found$/.test(error.code))) throw error;
    missing ??= error;
    return null;
  };
  const batch = as === "payout" ? null : await api.getBatch(id, { signal }).catch(none);
  const payout = as === "batch" ? null : await api.getPayout(id, { signal }).catch(none);
  if (!batch && !payout) throw missing;
  return { id, batch, payout: batch?.payoutId === id && payout?.batchCount === 1 ? null : payout };
}

function theOnly({ id, batch, payout }: Named) {
  if (!batch || !payout) return { id, isPayout: !batch };
  const many = counted(payout.batchCount, "batch", "batches");
  throw new Failure(EXIT.refused, `${id} is a batch, and a payout of ${many}. Add --as batch or payout.`);
}

/** Below zero for what goes from the recipients to the contract. */
const signedAmount = ({ points, reverses }: Batch) => `${reverses ? "-" : ""}${formatAmount(points)}`;

function rowsOfBatch(batch: BatchWithTransfers): string[][] {
  const { transferCount, pointType, reverses, reversals = [] } = batch;
  return [
    ["ID", batch.id],
    ["Status", `${batch.status}${batch.awaitingApproval ? ", awaiting approval" : ""}`],
    ["Amount", `${signedAmount(batch)} ${pointType} in ${counted(transferCount, "transfer", "transfers")}`],
    ...(reverses ? [["Takes back", reverses]] : []),
    ...reversals.map(({ id, status, points, finalizeAt }) =>
      status === "FINALIZED"
        ? ["Taken back", `${formatAmount(points)} by ${id}`]
        : ["To be taken back", `${formatAmount(points)} by ${id}, due ${timeText(finalizeAt)}`],
    ),
    ["Created", timeText(batch.createdAt)],
    ["Due", timeText(batch.finalizeAt)],
    ["Updated", batch.updatedAt ? timeText(batch.updatedAt) : "never"],
    ...Object.entries(batch.metadata ?? {}),
    ["Digest", batch.digest],
  ];
}

function rowsOfPayout({ id, status, batchCount, counts, amounts, ...payout }: Payout): string[][] {
  const { notPaid, firstDueAt, lastDueAt } = payout;
  // The API names the first 100 batches.
  const left = sumPoints(amounts.map((of) => of.notPaid)) - sumPoints(notPaid.map((of) => of.points));
  const shares = (Object.keys(STATE_NAMES) as (keyof Payout["counts"])[])
    .filter((state) => counts[state] > 0)
    .map((state) => `${formatCount(counts[state])} ${STATE_NAMES[state]}`);
  return [
    ["Payout", id],
    ["Status", status],
    ...amounts.map((amount) => ["Paid", paidText(amount)]),
    ...notPaid.map(({ batchId, transferCount, points }) => [
      "Not paid",
      `${formatAmount(points)} in ${counted(transferCount, "transfer", "transfers")} of ${batchId}, ` +
        "cancelled",
    ]),
    ...(left > 0n ? [["Not paid", `… and ${formatAmount(formatPoints(left))} of other batches`]] : []),
    ["Batches", `${formatCount(batchCount)}: ${shares.join(", ")}`],
    ...(firstDueAt ? [["Due", timeText(firstDueAt)]] : []),
    ...(lastDueAt && lastDueAt !== firstDueAt ? [["Last due", timeText(lastDueAt)]] : []),
  ];
}

/** What people have, of what they will have. */
function paidText({ pointType, points, paid, notPaid, ...amounts }: Payout["amounts"][number]): string {
  const { takenBack, takingBack } = amounts;
  return [
    `${formatAmount(paid)}${paid === points ? "" : ` of ${formatAmount(points)}`} ${pointType}`,
    ...(takenBack === "0" ? [] : [`${formatAmount(takenBack)} taken back`]),
    ...(takingBack === "0" ? [] : [`${formatAmount(takingBack)} to be taken back`]),
    ...(notPaid === "0" ? [] : [`${formatAmount(notPaid)} not paid`]),
  ].join(", ");
}

const STATE_NAMES: Record<keyof Payout["counts"], string> = {
  pending: "pending",
  onHold: "on hold",
  awaitingApproval: "awaiting approval",
  finalizing: "finalizing",
  finalized: "finalized",
  cancelled: "cancelled",
};

/** What became of the batches and payouts that are to be cancelled. */
interface Cancelled {
  cancelled: string[];
  payouts: CancelledPayout[];
  /** Why, in words. */
  refused: string[];
  /** Sent, and no answer says whether it is cancelled. */
  doubtful: string | null;
}

interface Cancelling {
  api: Client;
  findOne: (given: string) => Promise<{ id: string; isPayout: boolean }>;
  progress: Progress;
  signal: AbortSignal;
}

/** One after the other. What is refused does not keep the others. @throws Failure once one cannot be known */
async function cancelAll(given: readonly string[], done: Cancelled, how: Cancelling): Promise<void> {
  for (const each of given)
    try {
      await cancelOne(each, done, how);
    } catch (error) {
      if (error instanceof ClientError && !error.outcomeUnknown) done.doubtful = null;
      const { exitCode, message } = failureOf(error);
      if (exitCode !== EXIT.refused || done.doubtful !== null) throw stoppedBy(error, done, given.length);
      if (given.length === 1) throw error;
      done.refused.push(message);
    }
}

async function cancelOne(given: string, done: Cancelled, how: Cancelling): Promise<void> {
  const { api, progress, signal } = how;
  const { id, isPayout } = await how.findOne(given);
  const { cancelled, payouts } = done;
  const at = payouts.length;
  const onProgress = (payout: CancelledPayout) => {
    payouts[at] = payout;
    progress.show("Cancelling", payout.cancelled, payout.cancelled + payout.left);
  };
  done.doubtful = id;
  const cancelling = isPayout
    ? api.cancelPayout(id, { signal, onProgress })
    : api.cancelBatch(id, { signal }).then(() => null);
  const payout = await cancelling.finally(() => progress.clear());
  done.doubtful = null;
  if (!payout) cancelled.push(id);
  else if (payout.cancelled === 0 && settledOf(payout) > 0) {
    payouts.pop();
    throw new Failure(EXIT.refused, textOfCancelled(payout), payout);
  } else if (payout.left > 0) throw new Failure(EXIT.partlySent, "The service cancelled no more.");
}

function textOf({ cancelled, payouts }: Cancelled, count: number): string {
  const batchCount = count - payouts.length;
  const batches = `Cancelled ${cancelled.length} of ${counted(batchCount, "batch", "batches")}.`;
  return [...(batchCount > 0 ? [batches] : []), ...payouts.map(textOfCancelled)].join("\n");
}

function stoppedBy(error: unknown, done: Cancelled, count: number): Failure {
  const { exitCode, message, facts } = failureOf(error);
  const { cancelled, payouts, refused, doubtful } = done;
  if (cancelled.length + payouts.length === 0 && doubtful === null)
    return new Failure(exitCode, message, facts);
  const more = doubtful === null ? "" : ` ${doubtful} may be cancelled.`;
  const lines = [message, ...refused, `${textOf(done, count)}${more} To continue, repeat the command.`];
  return new Failure(EXIT.partlySent, lines.join("\n"), { ...facts, ...done });
}

const settledOf = ({ counts }: CancelledPayout) => counts.finalizing + counts.finalized;

function textOfCancelled(payout: CancelledPayout): string {
  const settled = settledOf(payout);
  return (
    `Cancelled ${counted(payout.cancelled, "batch", "batches")} of the payout ${payout.payoutId}.` +
    (payout.left > 0 ? ` ${counted(payout.left, "batch is", "batches are")} left.` : "") +
    (settled > 0 ? ` ${counted(settled, "batch", "batches")} can no longer be cancelled.` : "")
  );
}
