import { consoleAlertsRouter } from "@/server/alerts/router";
import { consoleApprovalsRouter } from "@/server/approvals/router";
import { consoleAuditRouter } from "@/server/audit/router";
import { consoleBatchesRouter, consoleBulkRouter } from "@/server/batches/router";
import { consoleContractsRouter } from "@/server/contracts/router";
import { consoleOperationsRouter } from "@/server/operations/router";
import { consoleRecipientsRouter } from "@/server/recipients/router";
import { consoleSearchRouter } from "@/server/search/router";
import { consoleStaffRouter } from "@/server/staff/router";
import { consoleViewsRouter } from "@/server/views/router";
import { consoleWebhooksRouter } from "@/server/webhooks/router";
import { createCallerFactory, router, staffProcedure } from "../auth/procedures";
import { createBatchesRouter } from "../batches/router";
import { booksRouter } from "../books/router";
import { type BatchLimits, batchLimits } from "../kernel/batch-limits";
import { publicOrigin, settings } from "../kernel/settings";
import { operatorsRouter } from "../operators/router";
import { receiptsRouter } from "../receipts/router";
import {
  balancesRouter,
  consoleForecastRouter,
  consoleStatementsRouter,
  forecastRouter,
  statementsRouter,
} from "../statements/router";
import { webhooksRouter } from "../webhooks/router";

/** Everything served under `/v1`. */
export const createRestRouter = (limits: BatchLimits) =>
  router({
    batches: createBatchesRouter(limits),
    receipts: receiptsRouter,
    balances: balancesRouter,
    statements: statementsRouter,
    forecast: forecastRouter,
    operators: operatorsRouter,
    webhooks: webhooksRouter,
    books: booksRouter,
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
    audit: consoleAuditRouter,
    batches: consoleBatchesRouter,
    bulk: consoleBulkRouter,
    contracts: consoleContractsRouter,
    forecast: consoleForecastRouter,
    approvals: consoleApprovalsRouter,
    operations: consoleOperationsRouter,
    search: consoleSearchRouter,
    recipients: consoleRecipientsRouter,
    session: sessionRouter,
    staff: consoleStaffRouter,
    views: consoleViewsRouter,
    statements: consoleStatementsRouter,
    webhooks: consoleWebhooksRouter,
  }),
});
export type AppRouter = typeof appRouter;

export const createConsoleCaller = createCallerFactory(appRouter);

/** The `/v1` router with the configured limits. */
export const restRouter = () => createRestRouter(batchLimits(settings()));
