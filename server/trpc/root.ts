import { consoleAlertsRouter } from "@/server/alerts/router";
import { removeAllocationsOf } from "@/server/allocations/delete-allocation";
import { allocationsRouter, consoleAllocationsRouter } from "@/server/allocations/router";
import { consoleApprovalsRouter } from "@/server/approvals/router";
import { AuditListInput, listActors, listAudit } from "@/server/audit/list-audit";
import { createCallerFactory, router, staffProcedure, staffQuery } from "@/server/auth/procedures";
import { consoleBatchesRouter, consoleBulkRouter, createBatchesRouter } from "@/server/batches/router";
import { booksRouter } from "@/server/books/router";
import { consoleContractsRouter } from "@/server/contracts/router";
import { batchLimits } from "@/server/kernel/settings";
import { consoleOperationsRouter } from "@/server/operations/router";
import { operatorsRouter } from "@/server/operators/router";
import { consolePayoutsRouter, payoutsRouter } from "@/server/payouts/router";
import { receiptsRouter } from "@/server/receipts/router";
import { consoleRecipientsRouter } from "@/server/recipients/router";
import { consoleRequestsRouter, requestsRouter } from "@/server/requests/router";
import { consoleSearchRouter } from "@/server/search/router";
import { createConsoleSnapshotsRouter, snapshotsRouter } from "@/server/snapshots/router";
import { consoleStaffRouter, sessionRouter } from "@/server/staff/router";
import {
  balancesRouter,
  consoleForecastRouter,
  consoleStatementsRouter,
  statementsRouter,
} from "@/server/statements/router";
import { consoleWebhooksRouter, webhooksRouter } from "@/server/webhooks/router";
import type { BatchLimits } from "@/terms/batch-limits";

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

/** In no room of its own: procedures know the team, and that is changed with entries of the audit log. */
const consoleAuditRouter = router({
  list: staffQuery("viewer", AuditListInput, listAudit),
  actors: staffProcedure("viewer").query(({ ctx }) => listActors(ctx)),
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
    statements: consoleStatementsRouter,
    webhooks: consoleWebhooksRouter,
    requests: consoleRequestsRouter,
  }),
});
export type AppRouter = typeof appRouter;

export const createConsoleCaller = createCallerFactory(appRouter);

export const restRouter = () => createRestRouter(batchLimits());
