import type { TransactionSql } from "postgres";
import { askFor } from "@/db/session-settings";
import type { ServiceContext } from "./context";
import { isStatementTimeout } from "./database-errors";
import { single } from "./process";
import { retryLater } from "./retry-after";
import { settings } from "./settings";
import { turnsPerKey } from "./turns";

/** A query of a report that takes longer is stopped. */
const SECONDS_MAX = 5;
/** Of `DATABASE_TIMEOUT_SECONDS`, so that Postgres stops the query before the driver gives up. */
const SHARE_MAX = 0.8;

const TOO_LONG = "The figures took too long to compute. Retry when the service is less busy.";

/** Reads a contract's figures in its turn, in one snapshot. @throws DomainError `unavailable` if too slow */
export async function readContractFigures<T>(
  ctx: ServiceContext,
  contract: Buffer,
  reads: (tx: TransactionSql) => Promise<T>,
  { secondsMax = SECONDS_MAX, tooLong = TOO_LONG }: { secondsMax?: number; tooLong?: string } = {},
): Promise<T> {
  const milliseconds = Math.min(secondsMax, settings().DATABASE_TIMEOUT_SECONDS * SHARE_MAX) * 1000;
  try {
    return await inReportTurn(
      contract.toString("hex"),
      async () =>
        (await ctx.db.sql.begin("isolation level repeatable read read only", async (tx) => {
          await askFor(tx, { statement_timeout: milliseconds });
          return await reads(tx);
        })) as T,
    );
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw retryLater(tooLong, error);
  }
}

/** Reports that run at the same time in this process. Each may read weeks of a busy contract. */
const RUNNING_MAX = 2;
const RUNNING_PER_CONTRACT = 1;
const WAITING_PER_CONTRACT_MAX = 10;
const WAIT_SECONDS_MAX = 5;

const turns = () =>
  single("report-turns", () =>
    turnsPerKey(RUNNING_PER_CONTRACT, WAITING_PER_CONTRACT_MAX, WAIT_SECONDS_MAX, RUNNING_MAX),
  );

/**
 * Holds no connection while it waits.
 * @throws DomainError `unavailable` when its turn does not come in time; it then never runs
 */
export const inReportTurn = <T>(contract: string, compute: () => Promise<T>): Promise<T> =>
  turns().run(contract, compute, () =>
    retryLater("Other reports are being computed. Retry in a few seconds."),
  );
