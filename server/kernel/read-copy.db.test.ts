import { expect, test } from "vitest";
import { useLedger } from "@/testing/use-ledger";
import { linesOfCopy } from "./read-copy";

const { db } = useLedger({ poolMax: 2 });

const copyOf = (rows: number) =>
  `copy (select generate_series(1, ${rows}), repeat('x', 99)) to stdout with (delimiter ' ')`;

test("every line of a COPY is read, whole and in order", async () => {
  const lines: string[] = [];
  await db.sql.begin(async (tx) => {
    for await (const some of linesOfCopy(db, tx, tx.unsafe(copyOf(50_000)))) lines.push(...some);
  });
  expect(lines).toEqual(Array.from({ length: 50_000 }, (_, at) => `${at + 1} ${"x".repeat(99)}`));
});

test("a COPY ends when its reader stops, however much is left", async () => {
  const stopped = db.sql.begin(async (tx) => {
    for await (const lines of linesOfCopy(db, tx, tx.unsafe(copyOf(1_000_000_000))))
      if (lines.length > 0) throw new Error("stopped");
  });
  await expect(stopped).rejects.toThrow("stopped");
  expect([...(await db.sql`select 1 as one`)]).toEqual([{ one: 1 }]);
});
