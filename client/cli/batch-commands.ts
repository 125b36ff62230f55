import { type Command, InvalidArgumentError, Option } from "commander";
import { BATCH_STATUSES, POINT_TYPES } from "../../terms/batch-terms.ts";
import { counted, formatAmount, formatCount } from "../../terms/output-text.ts";
import { ClientError } from "../src/client-error.ts";
import type { Client } from "../src/create-client.ts";
import type { Batch, ListQuery } from "../src/shapes.ts";
import { addMetadata, clientOf, optionsOf } from "./service.ts";
import { EXIT, Failure, failureOf, print, stopping, table, timeText } from "./terminal.ts";

const READ_TIMEOUT_MS = 20_000;
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

/** Commands that ask the API once, or page by page. */
export function addBatchCommands(program: Command, signal: AbortSignal): void {
  const client = (command: Command): Client => clientOf(optionsOf(command), READ_TIMEOUT_MS);

  program
    .command("status <id>")
    .description("Show one batch. With --json, its transfers too.")
    .action(async (id: string, _: object, command: Command) => {
      const batch = await client(command).getBatch(id, { signal });
      const { transferCount, points, pointType } = batch;
      const rows = [
        ["ID", batch.id],
        ["Status", batch.status],
        [
          "Amount",
          `${formatAmount(points)} ${pointType} in ${counted(transferCount, "transfer", "transfers")}`,
        ],
        ["Created", timeText(batch.createdAt)],
        ["Due", timeText(batch.finalizeAt)],
        ["Updated", batch.updatedAt ? timeText(batch.updatedAt) : "never"],
        ...Object.entries(batch.metadata ?? {}).map(([key, value]) => [key, value]),
        ["Digest", batch.digest],
      ];
      print(optionsOf(command).json, batch, () => table(rows));
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
        limit: Math.min(limit, PAGE_MAX),
      };
      const found: Batch[] = [];
      for await (const batch of client(command).iterateBatches(query, { signal })) {
        found.push(batch);
        if (found.length === limit) break;
      }
      const heads = ["created", "status", "amount", "type", "transfers", "id"];
      const rows = found.map(({ createdAt, status, points, pointType, transferCount, id }) => [
        timeText(createdAt),
        status,
        formatAmount(points),
        pointType,
        formatCount(transferCount),
        id,
      ]);
      print(json, found, () => (rows.length === 0 ? "No batches." : table([heads, ...rows])));
    });

  program
    .command("cancel <ids...>")
    .description("Cancel batches that are still PENDING.")
    .action(async (ids: string[], _: object, command: Command) => {
      const cancelled: string[] = [];
      const refused: string[] = [];
      let doubtful: string | null = null;
      const doneText = () => `Cancelled ${cancelled.length} of ${counted(ids.length, "batch", "batches")}.`;
      const stopped = (error: unknown) => {
        const { exitCode, message, facts } = failureOf(error);
        if (cancelled.length === 0 && doubtful === null) return new Failure(exitCode, message, facts);
        const more = doubtful === null ? "" : ` ${doubtful} may be cancelled.`;
        const lines = [message, ...refused, `${doneText()}${more} To continue, repeat the command.`];
        return new Failure(EXIT.partlySent, lines.join("\n"), { ...facts, cancelled, refused, doubtful });
      };
      stopping.failure = () => stopped(signal.reason);
      for (const batchId of ids) {
        doubtful = batchId;
        try {
          await client(command).cancelBatch(batchId, { signal });
          cancelled.push(batchId);
          doubtful = null;
        } catch (error) {
          if (error instanceof ClientError && !error.outcomeUnknown) doubtful = null;
          const { exitCode, message } = failureOf(error);
          if (exitCode !== EXIT.refused || doubtful !== null) throw stopped(error);
          if (ids.length === 1) throw error;
          refused.push(message);
        }
      }
      const text = doneText();
      if (refused.length > 0)
        throw new Failure(EXIT.refused, [text, ...refused].join("\n"), { cancelled, refused });
      print(optionsOf(command).json, { success: true, cancelled }, () => text);
    });

  program
    .command("balances")
    .description("Show the contract's balances per point type.")
    .action(async (_: object, command: Command) => {
      const balances = await client(command).getBalances({ signal });
      const names = [
        "available",
        "pendingSent",
        "earnedCumulative",
        "receivedCumulative",
        "finalizedSentCumulative",
      ] as const;
      const rows = POINT_TYPES.map((type) => [
        type,
        ...names.map((name) => formatAmount(balances[type][name])),
      ]);
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

function positive(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a positive whole number.");
}
