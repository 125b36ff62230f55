import type { TransactionSql } from "postgres";
import type { ServiceContext } from "./context";
import { isStatementTimeout } from "./database-errors";
import { inReportTurn, retryLater } from "./limits";
import { settings } from "./settings";

/** A query of a report that takes longer is stopped. */
const SECONDS_MAX = 5;
/** Of `DATABASE_TIMEOUT_SECONDS`, so that Postgres stops the query before the driver gives up without knowing why. */
const SHARE_MAX = 0.8;

const TOO_LONG = "The figures took too long to compute. Retry when the service is less busy.";

interface ReportOptions {
  secondsMax?: number;
  /** What happened, and what to do. */
  tooLong?: string;
}

/** Reads a contract's figures in its turn, in one snapshot. @throws DomainError `unavailable` when it takes too long */
export async function readReport<T>(
  ctx: ServiceContext,
  contract: Buffer,
  reads: (tx: TransactionSql) => Promise<T>,
  { secondsMax = SECONDS_MAX, tooLong = TOO_LONG }: ReportOptions = {},
): Promise<T> {
  const milliseconds = Math.min(secondsMax, settings().DATABASE_TIMEOUT_SECONDS * SHARE_MAX) * 1000;
  try {
    return await inReportTurn(
      contract.toString("hex"),
      async () =>
        (await ctx.db.sql.begin("isolation level repeatable read read only", async (tx) => {
          await tx`select set_config('statement_timeout', ${String(milliseconds)}, true)`;
          return await reads(tx);
        })) as T,
    );
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw retryLater(tooLong, error);
  }
}
