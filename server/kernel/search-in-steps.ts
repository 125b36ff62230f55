export const SEARCHED_MAX = 20_000;
/** Max entries that one of its statements reads. */
const STEP_MAX = 5_000;
const STEP_GROWTH = 4;

interface Step<Row, Position> {
  rows: Row[];
  /** The number of entries that were read; less than asked for at the end of the index. */
  searched: number;
  edge: Position;
}

/**
 * Searches an index for rows that match, in growing steps, so that a page costs no more than `SEARCHED_MAX` entries.
 * `searchedTo` is where the search stopped there; null if it found enough rows or reached the end.
 */
export async function searchInSteps<Row, Position>(
  after: Position | null,
  rowsLeast: number,
  readStep: (after: Position | null, entriesMost: number) => Promise<Step<Row, Position>>,
): Promise<{ rows: Row[]; searchedTo: Position | null }> {
  const rows: Row[] = [];
  let edge = after;
  let searched = 0;
  for (let size = rowsLeast; searched < SEARCHED_MAX; size = Math.min(size * STEP_GROWTH, STEP_MAX)) {
    const step: Step<Row, Position> = await readStep(edge, size);
    rows.push(...step.rows);
    if (rows.length >= rowsLeast || step.searched < size) return { rows, searchedTo: null };
    edge = step.edge;
    searched += step.searched;
  }
  return { rows, searchedTo: edge };
}
