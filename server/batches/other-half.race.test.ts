/** The rows that batches.race.test.ts leaves to another worker. Named at run time, so that it is evaluated once more. */
const otherHalf = "./batches.race.test.ts?half=other";
await import(otherHalf);

export {};
