import type { ServiceContext } from "@/server/kernel/context";
import { isOutcomeUnknown } from "@/server/kernel/database-errors";
import { onceATurn } from "@/server/kernel/once-a-turn";
import { afterChange } from "@/server/kernel/to-domain-error";
import type { PreparedBatch } from "./digest";
import type { SubmitBatchInput } from "./submit-schema";

export interface ReadyBatch {
  ctx: ServiceContext;
  input: SubmitBatchInput;
  batchId: string;
  batch: PreparedBatch;
  /** Stores it in a statement of its own. @returns whether it is new */
  storeAlone(): Promise<boolean>;
}

/**
 * `stored`: the batch is new. `kept`: it is not stored, because its ID is in use or its contract is not
 * registered. `alone`: the statement for one batch decides, since it judges by the locked account and can
 * count towards a day's threshold.
 */
export type Verdict = "stored" | "kept" | "alone";

const GROUP_BATCHES_MAX = 64;
const GROUP_TRANSFERS_MAX = 20_000;
/** A larger batch goes alone: it would delay small ones, and most of its cost is its own rows. */
const BATCH_TRANSFERS_MAX = 500;
/** While a statement takes longer than this, the next ones do not wait for it. */
export const PATIENCE_MS = 25;
/**
 * How many batches it takes to start a statement, by how many are under way. A second one works while the
 * first one's commit waits for the disk; smaller groups would cost Postgres more than that gains.
 */
const LEAST_BATCHES = [1, 8];

/** Whether a batch is a contract's own submit, without what only the statement for one batch stores. */
export const sharesStatement = ({ ctx, input }: Pick<ReadyBatch, "ctx" | "input">): boolean =>
  /^(?:token|operator):/.test(ctx.actor) &&
  input.transfers.length <= BATCH_TRANSFERS_MAX &&
  !input.payout &&
  !input.payoutId &&
  input.corrects === undefined &&
  !input.transfers.some(({ reference }) => reference);

interface Waiting {
  ready: ReadyBatch;
  resolve(isNew: boolean | Promise<boolean>): void;
  reject(error: unknown): void;
}

interface UnderWay {
  contracts: ReadonlySet<string>;
  /** It takes long, perhaps because another transaction has locked an account of its contracts. */
  isLate: boolean;
}

const contractOf = ({ ready }: Waiting): string => ready.input.contractAddress;

/**
 * The submits of one process. A batch that finds nothing running is stored at the end of this turn of the
 * event loop, with those that arrived in it. Batches that arrive later are stored together by the next
 * statement, in order of arrival and without a delay: "submit 10 at 16" in docs/benchmarks.md.
 * At most two statements are under way, never of the same contract, whose account the first one has locked.
 */
export class SubmitLine {
  readonly #storeTogether: (group: readonly ReadyBatch[]) => Promise<Verdict[]>;
  readonly #underWay = new Set<UnderWay>();
  #waiting: Waiting[] = [];
  readonly #advanceSoon = onceATurn(() => this.#advance());

  /**
   * @param storeTogether must return one verdict per batch, in order, and store nothing when it rejects,
   * unless with an error after which that is unknown
   */
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
      this.#advanceSoon();
    });
  }

  /** Starts the statements whose turn it is. */
  #advance(): void {
    for (;;) {
      const running = [...this.#underWay].filter(({ isLate }) => !isLate);
      const least = LEAST_BATCHES[running.length];
      if (least === undefined || this.#waiting.length < least) return;
      this.#waiting = this.#waiting.filter((next) => !this.#goesAlone(next) && isWanted(next));
      const isFree = (next: Waiting) => !running.some(({ contracts }) => contracts.has(contractOf(next)));
      const group = groupOf(this.#waiting.filter(isFree));
      if (group.length < least) return;
      const taken = new Set(group);
      this.#waiting = this.#waiting.filter((next) => !taken.has(next));
      void this.#storeGroup(group);
    }
  }

  /** A batch of a contract that another statement holds up waits for that alone, with nobody behind it. */
  #goesAlone(next: Waiting): boolean {
    const isHeldUp = [...this.#underWay].some(
      ({ isLate, contracts }) => isLate && contracts.has(contractOf(next)),
    );
    if (isHeldUp) void sendAlone([next]);
    return isHeldUp;
  }

  /** Never rejects: errors go to the callers. */
  async #storeGroup(group: readonly Waiting[]): Promise<void> {
    const own: UnderWay = { contracts: new Set(group.map(contractOf)), isLate: false };
    this.#underWay.add(own);
    const patience = setTimeout(() => {
      own.isLate = true;
      this.#advance();
    }, PATIENCE_MS);
    // For Postgres, the statement for one batch is cheaper than a group of one.
    await (group.length < 2 ? sendAlone(group) : this.#sendTogether(group));
    clearTimeout(patience);
    this.#underWay.delete(own);
    this.#advanceSoon();
  }

  async #sendTogether(group: readonly Waiting[]): Promise<void> {
    let verdicts: Verdict[];
    try {
      verdicts = await this.#storeTogether(group.map(({ ready }) => ready));
    } catch (error) {
      // One batch may be the reason. Alone, only its own caller gets its error.
      return await sendAlone(group, isOutcomeUnknown(error));
    }
    for (const [at, waiting] of group.entries()) {
      const verdict = verdicts[at]!;
      if (verdict === "alone") void sendAlone([waiting]);
      else waiting.resolve(verdict === "stored");
    }
  }
}

function groupOf(waiting: readonly Waiting[]): readonly Waiting[] {
  let transfers = 0;
  const end = waiting.findIndex(({ ready }, at) => {
    transfers += ready.input.transfers.length;
    return at === GROUP_BATCHES_MAX || transfers > GROUP_TRANSFERS_MAX;
  });
  return end === -1 ? waiting : waiting.slice(0, end);
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

/** @param mayBeStored whether a statement whose outcome is unknown had the same batches */
async function sendAlone(group: readonly Waiting[], mayBeStored = false): Promise<void> {
  const stored = group.filter(isWanted).map(({ ready, resolve }) => {
    const isNew = mayBeStored ? afterChange(ready.storeAlone()) : ready.storeAlone();
    resolve(isNew);
    return isNew;
  });
  await Promise.allSettled(stored);
}
