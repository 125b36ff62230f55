import type { Plan, Transfer } from "./plan";

const DATABASE = "new-batch";
const VERSION = 1;

/** The browser keeps no data here: a private window, or no room. */
export class NoStore extends Error {
  override name = "NoStore";
}

/** The one plan that a person has under way in this browser, until it is done. */
export async function readPlan(owner: string): Promise<Plan | null> {
  return inStore("readonly", (plans) => plans.get(owner)).then((plan: Plan | undefined) => plan ?? null);
}

export const updatePlan = (plan: Plan) => inStore("readwrite", (plans) => plans.put(plan, plan.owner));

/** Takes the place of the person's earlier plan, rows and all, or leaves it as it was. */
export function savePlan(plan: Plan, parts: readonly Transfer[][]): Promise<unknown> {
  return inStore("readwrite", (plans, rows) => {
    rows.delete(rowsOf(plan.owner));
    parts.forEach((transfers, part) => {
      rows.put(transfers, [plan.owner, part]);
    });
    return plans.put(plan, plan.owner);
  });
}

export function forgetPlan(owner: string): Promise<unknown> {
  return inStore("readwrite", (plans, rows) => {
    rows.delete(rowsOf(owner));
    return plans.delete(owner);
  });
}

export async function readPart(owner: string, part: number): Promise<Transfer[]> {
  const transfers: Transfer[] | undefined = await inStore("readonly", (_, rows) => rows.get([owner, part]));
  if (!transfers) throw new NoStore("The rows are no longer kept in this browser.");
  return transfers;
}

const rowsOf = (owner: string) => IDBKeyRange.bound([owner], [owner, []]);

/** Runs one transaction over both stores; its answer is known only when it is on the disk. */
async function inStore<T>(
  mode: IDBTransactionMode,
  run: (plans: IDBObjectStore, rows: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(["plans", "rows"], mode);
      const asked = run(transaction.objectStore("plans"), transaction.objectStore("rows"));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(new NoStore(wordsOf(transaction.error)));
    });
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("plans");
      request.result.createObjectStore("rows");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new NoStore(wordsOf(request.error)));
  });
}

const wordsOf = (error: DOMException | null) =>
  error?.name === "QuotaExceededError"
    ? "This browser has no room left to keep the rows. Free some, or use another browser."
    : "This browser keeps no data for this page, so a reload would lose what was sent. Leave the private window, or use another browser.";
