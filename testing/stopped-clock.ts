import type { TestDatabase } from "./test-database";

/** A database in whose statements `now()` stands still. */
export function stoppedClock(db: TestDatabase, instant: Date): TestDatabase {
  const at = `timestamptz '${instant.toISOString()}'`;
  const stopped = (text: string) => text.replaceAll("now()", at);
  const sql = new Proxy(db.sql, {
    get(target, name) {
      if (name !== "unsafe") return Reflect.get(target, name);
      return (text: string, ...more: never[]) => target.unsafe(stopped(text), ...more);
    },
    apply(target, self, [text, ...values]: [TemplateStringsArray | string, ...unknown[]]) {
      const then = typeof text === "string" ? text : text.map(stopped);
      const given = typeof then === "string" ? then : Object.assign(then, { raw: then });
      return Reflect.apply(target, self, [given, ...values]);
    },
  });
  return { ...db, sql };
}
