import { single } from "./single";
import { DomainError } from "./values/problems";

/** Reports (statements and forecasts) that run at the same time in this process. Each may read weeks of a busy contract. */
const RUNNING_MAX = 2;
const RUNNING_PER_CONTRACT = 1;
const WAITING_PER_CONTRACT_MAX = 10;
const WAIT_SECONDS_MAX = 5;

interface Waiter {
  contract: string;
  start: () => void;
}

interface Turns {
  /** The contracts whose reports run. */
  running: string[];
  waiting: Set<Waiter>;
}

const turnsOfProcess = () => single<Turns>("report-turns", () => ({ running: [], waiting: new Set() }));

/**
 * Computes a report when its turn comes. It holds no connection while it waits.
 * @throws DomainError `unavailable` when its turn does not come in time. It then never runs.
 */
export async function inReportTurn<T>(contract: string, compute: () => Promise<T>): Promise<T> {
  const turns = turnsOfProcess();
  if (fits(turns, contract)) turns.running.push(contract);
  else await waitForTurn(turns, contract);
  try {
    return await compute();
  } finally {
    turns.running.splice(turns.running.indexOf(contract), 1);
    for (const waiter of turns.waiting) if (fits(turns, waiter.contract)) waiter.start();
  }
}

const fits = ({ running }: Turns, contract: string) =>
  running.length < RUNNING_MAX && running.filter((one) => one === contract).length < RUNNING_PER_CONTRACT;

function waitForTurn(turns: Turns, contract: string): Promise<void> {
  const before = [...turns.waiting].filter((waiter) => waiter.contract === contract).length;
  if (before >= WAITING_PER_CONTRACT_MAX) return Promise.reject(reportsBusy());
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      turns.waiting.delete(waiter);
    };
    const waiter: Waiter = {
      contract,
      start() {
        leave();
        turns.running.push(contract);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      leave();
      reject(reportsBusy());
    }, WAIT_SECONDS_MAX * 1000);
    turns.waiting.add(waiter);
  });
}

const reportsBusy = () =>
  retryLater("Other statements or forecasts are being computed. Retry in a few seconds.");

const RETRY_AFTER_SECONDS = 5;

/** A report that cannot be computed now. */
export const retryLater = (detail: string, cause?: unknown) =>
  new DomainError("unavailable", detail, {
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
    cause,
  });
