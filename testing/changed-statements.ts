import type { Sql } from "postgres";
import type { TestDatabase } from "./test-database";

type Answer = (ask: () => Promise<unknown>) => Promise<unknown>;

/** Answers statements containing certain text as the test says, in transactions too. Others run normally. */
export function answerStatement<Db extends { sql: Sql }>(db: Db, words: string, answer: Answer): Db {
  return { ...db, sql: answering(db.sql, words, answer) };
}

function answering(sql: Sql, words: string, answer: Answer): Sql {
  const answered = (text: string, ask: () => Promise<unknown>) =>
    text.includes(words) ? answer(ask) : ask();
  return new Proxy(sql, {
    apply(target, self, given: [TemplateStringsArray | string]) {
      const [text] = given;
      return answered(typeof text === "object" ? text.join("") : "", () =>
        Reflect.apply(target, self, given),
      );
    },
    get(target, name) {
      if (name === "unsafe")
        return (text: string, ...more: never[]) => answered(text, () => target.unsafe(text, ...more));
      if (name !== "begin") return Reflect.get(target, name);
      return (...given: unknown[]) => {
        const work = given.pop() as (tx: Sql) => Promise<unknown>;
        const begin = target.begin as (...given: unknown[]) => Promise<unknown>;
        return begin(...given, (tx: Sql) => work(answering(tx, words, answer)));
      };
    },
  });
}

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
