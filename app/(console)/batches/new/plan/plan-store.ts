import type { Transfer } from "../csv/checked";
import type { Plan } from "./plan";

const DATABASE = "new-batch";
const VERSION = 1;

/** The browser cannot store data, such as in a private window, or its storage is full. */
export class NoStore extends Error {
  override name = "NoStore";
}

/** Each user has at most one plan in progress per browser. */
export async function readPlan(owner: string): Promise<Plan | null> {
  return inStore("readonly", (plans) => plans.get(owner)).then((plan: Plan | undefined) => plan ?? null);
}

export const updatePlan = (plan: Plan) => inStore("readwrite", (plans) => plans.put(plan, plan.owner));

/** Replaces the user's earlier plan and its rows, all or nothing. */
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
  if (!transfers) throw new NoStore("The rows are no longer stored in this browser. Choose the file again.");
  return transfers;
}

const rowsOf = (owner: string) => IDBKeyRange.bound([owner], [owner, []]);

/** Runs one transaction over both stores; resolves when it is committed. */
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
      transaction.onabort = () => reject(new NoStore(messageOf(transaction.error)));
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
    request.onerror = () => reject(new NoStore(messageOf(request.error)));
  });
}

const messageOf = (error: DOMException | null) =>
  error?.name === "QuotaExceededError"
    ? "The browser's storage is full. Free up space, or use another browser."
    : "The browser does not store data for this page, so a reload would lose track of what was submitted. Leave private browsing, or use another browser.";
