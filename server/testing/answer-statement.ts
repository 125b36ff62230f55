import type { TestDatabase } from "./test-database";

/** A database that answers a statement with certain words as a test says; all else is asked as it is. */
export function answerStatement(
  db: TestDatabase,
  words: string,
  answer: (ask: () => Promise<unknown>) => Promise<unknown>,
): TestDatabase {
  const sql = new Proxy(db.sql, {
    apply(target, self, given: [TemplateStringsArray | string]) {
      const ask = () => Reflect.apply(target, self, given);
      const [text] = given;
      return typeof text === "object" && text.join("").includes(words) ? answer(ask) : ask();
    },
  });
  return { ...db, sql };
}
