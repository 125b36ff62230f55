import type { Sql } from "postgres";

/** Work in progress on a pool: single statements and whole transactions. */
export interface PoolWork {
  underWay: number;
}

interface Executable {
  handle(): Promise<unknown>;
}

/**
 * Wraps a client to count its work in progress, because the driver does not expose its queue. A statement counts from when it
 * is sent (fragments never are), a transaction from its `begin`. Work beyond the pool's size is waiting.
 */
export function countWork(sql: Sql): { sql: Sql; work: PoolWork } {
  const work: PoolWork = { underWay: 0 };
  const begin = () => {
    work.underWay++;
  };
  const end = () => {
    work.underWay--;
  };
  const counted = <T>(made: T): T => {
    if (isExecutable(made)) countWhenSent(made, begin, end);
    return made;
  };
  const proxy = new Proxy(sql, {
    apply: (target, self, given) => counted(Reflect.apply(target, self, given)),
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === "unsafe") return (...given: unknown[]) => counted(call(value, given));
      if (name !== "begin") return value;
      return async (...given: unknown[]) => {
        begin();
        try {
          return await call(value, given);
        } finally {
          end();
        }
      };
    },
  });
  return { sql: proxy, work };
}

const call = (run: unknown, given: unknown[]) => (run as (...all: unknown[]) => unknown)(...given);

const isExecutable = (made: unknown): made is Executable & Promise<unknown> =>
  made instanceof Promise && "handle" in made;

function countWhenSent(query: Executable & Promise<unknown>, begin: () => void, end: () => void): void {
  const send = query.handle;
  let isSent = false;
  query.handle = function handle(this: Executable) {
    if (isSent) return send.call(this);
    isSent = true;
    begin();
    // A separate chain, so that an unhandled rejection of the caller's promise is still reported.
    Promise.prototype.then.call(this, end, end);
    return send.call(this);
  };
}
