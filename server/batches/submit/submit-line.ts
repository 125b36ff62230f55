import type { ServiceContext } from "@/server/kernel/context";
import type { PreparedBatch } from "./digest";
import type { SubmitBatchInput } from "./submit-schema";

/** A batch that is ready to be stored. */
export interface ReadyBatch {
  ctx: ServiceContext;
  input: SubmitBatchInput;
  batchId: string;
  batch: PreparedBatch;
  /** Stores it in a statement of its own. @returns whether it is new */
  storeAlone(): Promise<boolean>;
}

/**
 * `stored`: the batch is new. `kept`: it is not stored, because its ID is in use or its contract is not registered. `alone`:
 * the statement for one batch decides, since it judges by the locked account and can count towards a day's threshold.
 */
export type Verdict = "stored" | "kept" | "alone";

const GROUP_BATCHES_MAX = 64;
const GROUP_TRANSFERS_MAX = 20_000;
/** A larger batch goes alone: it would delay small ones, and most of its cost is its own rows. */
const BATCH_TRANSFERS_MAX = 500;
/** While a statement takes longer than this, the next one does not wait for it. */
const PATIENCE_MS = 25;

/** Whether a batch can share a statement: a contract's own submit, without what only the statement for one batch stores. */
export const sharesStatement = ({ ctx, input }: Pick<ReadyBatch, "ctx" | "input">): boolean =>
  /^(?:token|operator):/.test(ctx.actor) &&
  input.transfers.length <= BATCH_TRANSFERS_MAX &&
  input.upload === undefined &&
  input.corrects === undefined &&
  !input.transfers.some(({ reference }) => reference);

interface Waiting {
  ready: ReadyBatch;
  resolve(isNew: boolean | Promise<boolean>): void;
  reject(error: unknown): void;
}

/**
 * The submits of one process. A batch that finds nothing running is stored immediately, alone. Batches that arrive during that
 * are stored together by the next statement, in order of arrival and without a delay: "submit 10 at 16" in docs/benchmarks.md.
 * A second statement next to the first would halve the groups and wait for its accounts, so Postgres would work more for less.
 */
export class SubmitLine {
  readonly #storeTogether: (group: readonly ReadyBatch[]) => Promise<Verdict[]>;
  readonly #waiting: Waiting[] = [];
  #isRunning = false;
  /** Groups that take long, perhaps because another transaction has locked an account of theirs. */
  readonly #late = new Set<readonly Waiting[]>();

  /** @param storeTogether must return one verdict per batch, in order, and store nothing when it rejects */
  constructor(storeTogether: (group: readonly ReadyBatch[]) => Promise<Verdict[]>) {
    this.#storeTogether = storeTogether;
  }

  /**
   * Stores a batch as soon as its turn comes. @returns whether it is new
   * @throws what `storeAlone` throws; what `requireWanted` throws if the caller left before its turn
   */
  store(ready: ReadyBatch): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ready, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      const storing = this.#storeGroup(group);
      if (await endsWithin(storing, PATIENCE_MS)) continue;
      this.#late.add(group);
      void storing.then(() => this.#late.delete(group));
    }
    this.#isRunning = false;
  }

  /** The next waiting batches that are to be stored together. */
  #nextGroup(): Waiting[] {
    const group: Waiting[] = [];
    let transfers = 0;
    let taken = 0;
    for (const next of this.#waiting) {
      transfers += next.ready.input.transfers.length;
      if (group.length === GROUP_BATCHES_MAX || transfers > GROUP_TRANSFERS_MAX) break;
      taken++;
      if (this.#isLate(next)) void sendAlone([next]);
      else if (isWanted(next)) group.push(next);
    }
    this.#waiting.splice(0, taken);
    return group;
  }

  #isLate({ ready: { input } }: Waiting): boolean {
    for (const group of this.#late)
      if (group.some(({ ready }) => ready.input.contractAddress === input.contractAddress)) return true;
    return false;
  }

  /** Never rejects: errors go to the callers. */
  async #storeGroup(group: readonly Waiting[]): Promise<void> {
    // For Postgres, the statement for one batch is cheaper than a group of one.
    if (group.length < 2) return await sendAlone(group);
    let verdicts: Verdict[];
    try {
      verdicts = await this.#storeTogether(group.map(({ ready }) => ready));
    } catch {
      // One batch may be the reason. Alone, only its own caller gets its error.
      return await sendAlone(group);
    }
    for (const [at, waiting] of group.entries()) {
      const verdict = verdicts[at]!;
      if (verdict === "alone") void sendAlone([waiting]);
      else waiting.resolve(verdict === "stored");
    }
  }
}

/** Nothing is stored for a caller that has left or has its reply. */
function isWanted({ ready, reject }: Waiting): boolean {
  try {
    ready.ctx.requireWanted?.();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

async function sendAlone(group: readonly Waiting[]): Promise<void> {
  const stored = group.filter(isWanted).map(({ ready, resolve }) => {
    const isNew = ready.storeAlone();
    resolve(isNew);
    return isNew;
  });
  await Promise.allSettled(stored);
}

/** Whether work is done in time. It continues either way. */
async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const inTime = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
