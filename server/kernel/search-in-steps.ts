import type { ServiceContext } from "./context";

export const SEARCHED_MAX = 20_000;
const STEP_ENTRIES_MAX = 5_000;
const STEP_GROWTH = 4;
/**
 * What a search leaves of its request's time, for what follows it and because its last step may be the
 * slowest.
 */
const TIME_SHARE_LEFT = 0.5;

interface Step<Row, Position> {
  rows: Row[];
  /** The number of entries that were read; less than asked for at the end of the index. */
  searched: number;
  edge: Position;
}

/**
 * Searches an index in growing steps until it has enough rows or has used its budget: `SEARCHED_MAX` entries,
 * or half of the time that its request has. `searchedTo` is where it stopped for that, otherwise null.
 * @throws what `requireWanted` throws, instead of a step whose caller has a reply or has left
 */
export async function searchInSteps<Row, Position>(
  ctx: Pick<ServiceContext, "requireWanted" | "timeLeftMs">,
  after: Position | null,
  rowsLeast: number,
  readStep: (after: Position | null, entriesMost: number) => Promise<Step<Row, Position>>,
): Promise<{ rows: Row[]; searchedTo: Position | null }> {
  const timeLeftMs = () => ctx.timeLeftMs?.() ?? Number.POSITIVE_INFINITY;
  const keptMs = timeLeftMs() * TIME_SHARE_LEFT;
  const rows: Row[] = [];
  let edge = after;
  let entriesLeft = SEARCHED_MAX;
  let size = rowsLeast;
  do {
    ctx.requireWanted?.();
    const step: Step<Row, Position> = await readStep(edge, size);
    rows.push(...step.rows);
    if (rows.length >= rowsLeast || step.searched < size) return { rows, searchedTo: null };
    edge = step.edge;
    entriesLeft -= step.searched;
    size = Math.min(size * STEP_GROWTH, STEP_ENTRIES_MAX, entriesLeft);
  } while (entriesLeft > 0 && timeLeftMs() >= keptMs);
  return { rows, searchedTo: edge };
}
