import { z } from "zod";
import { ListEndedInput, listEnded, SeenInput } from "@/server/alerts/inbox";
import { markSeen, readQueue, summarizeQueue } from "@/server/alerts/queue";
import { describeChannels, sendTestAlert, TestInput } from "@/server/alerts/send-alerts";
import { removeAllocationsOf } from "@/server/allocations/delete-allocation";
import { allocationsRouter, consoleAllocationsRouter } from "@/server/allocations/router";
import { decideChange, proposeChange, readApprovals } from "@/server/approvals/changes";
import { ApprovalsInput, DecideChangeInput, ProposeChangeInput } from "@/server/approvals/schema";
import { AuditListInput, listActors, listAudit } from "@/server/audit/list-audit";
import {
  createCallerFactory,
  router,
  staffChange,
  staffProcedure,
  staffQuery,
} from "@/server/auth/procedures";
import { consoleBatchesRouter, consoleBulkRouter, createBatchesRouter } from "@/server/batches/router";
import { booksRouter } from "@/server/books/router";
import { consoleContractsRouter } from "@/server/contracts/router";
import { batchLimits } from "@/server/kernel/limits-from-settings";
import { publicOrigin, settings } from "@/server/kernel/settings";
import { consoleOperationsRouter } from "@/server/operations/router";
import { operatorsRouter } from "@/server/operators/router";
import { consolePayoutsRouter, payoutsRouter } from "@/server/payouts/router";
import { receiptsRouter } from "@/server/receipts/router";
import { describeRecipient } from "@/server/recipients/describe-recipient";
import { setLabel } from "@/server/recipients/labels";
import { listReceived, sumReceived } from "@/server/recipients/list-received";
import { readHolding } from "@/server/recipients/read-holding";
import {
  HoldingInput,
  ListReceivedInput,
  ReceivedFilters,
  RecipientInput,
  SetLabelInput,
} from "@/server/recipients/schema";
import { ConsoleListRequestsInput, groupRequests } from "@/server/requests/list-requests";
import { requestsRouter } from "@/server/requests/router";
import { find } from "@/server/search/find";
import { createConsoleSnapshotsRouter, snapshotsRouter } from "@/server/snapshots/router";
import { consoleStaffRouter } from "@/server/staff/router";
import {
  balancesRouter,
  consoleForecastRouter,
  consoleStatementsRouter,
  statementsRouter,
} from "@/server/statements/router";
import { deleteView, listViews, SaveViewInput, saveView, ViewInput } from "@/server/views/saved-views";
import { consoleWebhooksRouter, webhooksRouter } from "@/server/webhooks/router";
import type { BatchLimits } from "@/terms/batch-limits";
import { SEARCH_CHARS_MAX } from "@/terms/batch-terms";

export const createRestRouter = (limits: BatchLimits) =>
  router({
    batches: createBatchesRouter(limits),
    payouts: payoutsRouter,
    receipts: receiptsRouter,
    balances: balancesRouter,
    statements: statementsRouter,
    operators: operatorsRouter,
    webhooks: webhooksRouter,
    requests: requestsRouter,
    snapshots: snapshotsRouter,
    allocations: allocationsRouter,
    books: booksRouter,
  });

const consoleAlertsRouter = router({
  summary: staffProcedure("viewer").query(({ ctx }) => summarizeQueue(ctx)),
  queue: staffProcedure("viewer").query(({ ctx }) => readQueue(ctx)),
  ended: staffQuery("viewer", ListEndedInput, listEnded),
  markSeen: staffChange("viewer", SeenInput, markSeen),
  channels: staffProcedure("viewer").query(({ ctx }) => describeChannels(ctx)),
  sendTest: staffChange("admin", TestInput, sendTestAlert, "long"),
});

/** Rules on which batches need a second person, and the changes of a contract that need a second admin. */
const consoleApprovalsRouter = router({
  get: staffQuery("viewer", ApprovalsInput, readApprovals),
  propose: staffChange("admin", ProposeChangeInput, proposeChange),
  approve: staffChange("admin", DecideChangeInput, (ctx, input) => decideChange(ctx, "approve", input)),
  reject: staffChange("admin", DecideChangeInput, (ctx, input) => decideChange(ctx, "reject", input)),
  withdraw: staffChange("admin", DecideChangeInput, (ctx, input) => decideChange(ctx, "withdraw", input)),
});

const consoleAuditRouter = router({
  list: staffQuery("viewer", AuditListInput, listAudit),
  actors: staffProcedure("viewer").query(({ ctx }) => listActors(ctx)),
});

const consoleRecipientsRouter = router({
  get: staffQuery("viewer", RecipientInput, describeRecipient, "long"),
  holding: staffQuery("viewer", HoldingInput, readHolding, "long"),
  received: staffQuery("viewer", ListReceivedInput, listReceived),
  sums: staffQuery("viewer", ReceivedFilters, sumReceived, "long"),
  setLabel: staffChange("operator", SetLabelInput, setLabel),
});

const FindInput = z.strictObject({ text: z.string().max(SEARCH_CHARS_MAX) });

const consoleSearchRouter = router({
  find: staffQuery("viewer", FindInput, (ctx, input) => find(ctx, input.text)),
});

const consoleViewsRouter = router({
  list: staffProcedure("viewer").query(({ ctx }) => listViews(ctx)),
  save: staffChange("viewer", SaveViewInput, saveView),
  delete: staffChange("viewer", ViewInput, deleteView),
});

const sessionRouter = router({
  me: staffProcedure("viewer").query(({ ctx: { staff } }) => ({ email: staff.email, role: staff.role })),
  service: staffProcedure("viewer").query(({ ctx }) => ({
    isDevelopment: process.env.NODE_ENV === "development",
    publicUrl: publicOrigin(),
    walletPages: settings().PUBLIC_RECEIPTS,
    limits: ctx.limits,
  })),
});

export const appRouter = router({
  console: router({
    alerts: consoleAlertsRouter,
    allocations: consoleAllocationsRouter,
    audit: consoleAuditRouter,
    batches: consoleBatchesRouter,
    bulk: consoleBulkRouter,
    contracts: consoleContractsRouter,
    forecast: consoleForecastRouter,
    approvals: consoleApprovalsRouter,
    operations: consoleOperationsRouter,
    payouts: consolePayoutsRouter,
    search: consoleSearchRouter,
    recipients: consoleRecipientsRouter,
    session: sessionRouter,
    snapshots: createConsoleSnapshotsRouter(removeAllocationsOf),
    staff: consoleStaffRouter,
    views: consoleViewsRouter,
    statements: consoleStatementsRouter,
    webhooks: consoleWebhooksRouter,
    requests: router({ list: staffQuery("viewer", ConsoleListRequestsInput, groupRequests) }),
  }),
});
export type AppRouter = typeof appRouter;

export const createConsoleCaller = createCallerFactory(appRouter);

export const restRouter = () => createRestRouter(batchLimits(settings()));
