import { unavailable } from "./retry-later";
import { single } from "./single";
import { Turns } from "./turns";

/** Reports that run at the same time in this process. Each may read weeks of a busy contract. */
const RUNNING_MAX = 2;
const RUNNING_PER_CONTRACT = 1;
const WAITING_PER_CONTRACT_MAX = 10;
const WAIT_SECONDS_MAX = 5;
const RETRY_AFTER_SECONDS = 5;

const countOf = (contracts: readonly string[], contract: string) =>
  contracts.filter((one) => one === contract).length;

const turns = () =>
  single(
    "report-turns",
    () =>
      new Turns<string>({
        fits: (running, contract) =>
          running.length < RUNNING_MAX && countOf(running, contract) < RUNNING_PER_CONTRACT,
        mayWait: (waiting, contract) => countOf(waiting, contract) < WAITING_PER_CONTRACT_MAX,
        waitMsMax: WAIT_SECONDS_MAX * 1000,
      }),
  );

/**
 * Computes a report when its turn comes. It holds no connection while it waits.
 * @throws DomainError `unavailable` when its turn does not come in time. It then never runs.
 */
export const inReportTurn = <T>(contract: string, compute: () => Promise<T>): Promise<T> =>
  turns().run(contract, compute, () =>
    retryLater("Other reports are being computed. Retry in a few seconds."),
  );

/** A report that cannot be computed now. */
export const retryLater = (detail: string, cause?: unknown) =>
  unavailable(detail, RETRY_AFTER_SECONDS, cause);
