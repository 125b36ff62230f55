import { drizzle } from "drizzle-orm/postgres-js";
import type { Database } from "@/db/client";

interface SentStatement {
  text: string;
  values: (string | number)[];
}

/** The same database, and the text of each statement that drizzle sends or writes. */
export function recordStatements(db: Database): { db: Database; sent: SentStatement[] } {
  const sent: SentStatement[] = [];
  const sql = new Proxy(db.sql, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== "unsafe") return value;
      return (...words: [string, (string | number)[]?, object?]) => {
        // Without values it is only a part of a statement.
        if (words[1]) sent.push({ text: words[0], values: words[1] });
        return (value as (...given: unknown[]) => unknown)(...words);
      };
    },
  });
  return { db: { ...db, sql, orm: drizzle(sql) }, sent };
}
