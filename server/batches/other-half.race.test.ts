/** The rows that batches.race.test.ts leaves to another worker. The name has a query, so that the module is evaluated once more. */
process.env.RACE_HALF = "other";
const otherHalf = "./batches.race.test.ts?half=other";
export default await import(otherHalf);
