import { expect, test } from "vitest";
import { useDatabase } from "@/testing/test-database";

const db = useDatabase();

test.each([1, 100, 5000, 50_000])(
  "after reading a whole COPY of %i rows, the connection answers the next statement",
  async (rows) => {
    const read = await db.sql.begin(async (tx) => {
      const source = await tx
        .unsafe(`copy (select repeat('x', 499) from generate_series(1, ${rows})) to stdout`)
        .readable();
      let bytes = 0;
      for await (const chunk of source as AsyncIterable<Buffer>) bytes += chunk.length;
      const [row] = await tx<{ one: number }[]>`select 1 as one`;
      return { bytes, one: row!.one };
    });
    expect(read).toEqual({ bytes: rows * 500, one: 1 });
  },
);
