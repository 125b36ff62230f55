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
 * @param current the pool to send to, which may be replaced
 * @param onError called with every error of a statement or transaction
 */
export function countWork(
  current: () => Sql,
  onError: (error: unknown) => void,
): { sql: Sql; work: PoolWork } {
  const work: PoolWork = { underWay: 0 };
  const begin = () => {
    work.underWay++;
  };
  const end = () => {
    work.underWay--;
  };
  const fail = (error: unknown) => {
    end();
    onError(error);
  };
  const counted = <T>(made: T): T => {
    if (isExecutable(made)) countWhenSent(made, begin, end, fail);
    return made;
  };
  const proxy = new Proxy(current(), {
    apply: (_, self, given) => counted(Reflect.apply(current(), self, given)),
    get(_, name) {
      const value: unknown = Reflect.get(current(), name);
      if (name === "unsafe") return (...given: unknown[]) => counted(call(value, given));
      if (name !== "begin") return value;
      return async (...given: unknown[]) => {
        begin();
        return await (call(value, given) as Promise<unknown>).then(
          (result) => {
            end();
            return result;
          },
          (error: unknown) => {
            fail(error);
            throw error;
          },
        );
      };
    },
  });
  return { sql: proxy, work };
}

const call = (run: unknown, given: unknown[]) => (run as (...all: unknown[]) => unknown)(...given);

const isExecutable = (made: unknown): made is Executable & Promise<unknown> =>
  made instanceof Promise && "handle" in made;

function countWhenSent(
  query: Executable & Promise<unknown>,
  begin: () => void,
  end: () => void,
  fail: (error: unknown) => void,
): void {
  const send = query.handle;
  let isSent = false;
  query.handle = function handle(this: Executable) {
    if (isSent) return send.call(this);
    isSent = true;
    begin();
    // A separate chain, so that an unhandled rejection of the caller's promise is still reported.
    Promise.prototype.then.call(this, end, fail);
    return send.call(this);
  };
}
