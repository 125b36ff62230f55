import type { TestDatabase } from "./test-database";

/** A database whose statements see `now()` stand still. */
export function stoppedClock(db: TestDatabase, instant: Date): TestDatabase {
  const at = `timestamptz '${instant.toISOString()}'`;
  const sql = new Proxy(db.sql, {
    apply(target, self, [text, ...values]: [TemplateStringsArray | string, ...unknown[]]) {
      const then = typeof text === "string" ? text : text.map((part) => part.replaceAll("now()", at));
      const given = typeof then === "string" ? then : Object.assign(then, { raw: then });
      return Reflect.apply(target, self, [given, ...values]);
    },
  });
  return { ...db, sql };
}
