import { afterEach, describe, expect, test, vi } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { PATIENCE_MS, SubmitLine } from "@/server/batches/submit/submit-line";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { batchOf, times } from "@/testing/factories";
import { lockAccount, waitsForLock } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { Deadline } from "./deadline";
import { handleRest } from "./handler";

const { db, context, newContract } = useLedger({ serves: true });

interface Caller {
  contract: string;
  token: string;
}

async function newCaller(): Promise<Caller> {
  const contract = await newContract();
  const scopes = ["batches:write" as const];
  const asked = { contractAddress: contract, name: "waiting", scopes, expiresAt: null };
  return { contract, token: (await createAccessToken(context(), asked)).token };
}

const bodyOf = ({ contract }: Caller) => {
  const { pointType, transfers } = batchOf(contract, [[1, "1"]]);
  return JSON.stringify({ pointType, transfers, secondsToFinalize: 3600 });
};

/** Submits a batch of one transfer. @returns the status of the reply */
async function submit(caller: Caller, batchId: string, more: RequestInit = {}): Promise<number> {
  const url = `http://service.test/v1/contracts/${caller.contract}/batches/${batchId}`;
  const headers = { Authorization: `Bearer ${caller.token}`, "Content-Type": "application/json" };
  return (await handleRest(new Request(url, { method: "PUT", headers, body: bodyOf(caller), ...more })))
    .status;
}

/** Batches by ID, with the number of the transaction that stored them. */
const storedOf = (...callers: Caller[]) => db.sql<{ id: string; statement: string }[]>`
  select b.id, t.xmin::text as statement from batches b join batch_transfers t on t.batch_seq = b.seq
  where b.contract_address in ${db.sql(callers.map(({ contract }) => addressToBytes(contract)))}
  order by b.id`;

/** Waits for a condition. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe("a batch that waits for its turn", () => {
  afterEach(() => vi.restoreAllMocks());

  /** A submit that is under way until `release`, however long that is, and others that wait for it. */
  async function whileOneIsUnderWay(waiting: (caller: Caller) => Promise<number>[]) {
    const { store } = SubmitLine.prototype;
    const arrived = vi.spyOn(SubmitLine.prototype, "store");
    const startTimer = setTimeout;
    arrived.mockImplementationOnce(function withEndlessPatience(this: SubmitLine, ready) {
      const timer = (run: () => void, ms: number) => (ms === PATIENCE_MS ? undefined : startTimer(run, ms));
      vi.spyOn(globalThis, "setTimeout").mockImplementation(timer as never);
      return store.call(this, ready);
    });
    const limits = vi.spyOn(Deadline.prototype, "bound");
    const [busy, caller] = [await newCaller(), await newCaller()];
    const release = await lockAccount(db, busy.contract);
    const first = submit(busy, "first");
    await until(() => waitsForLock(db));
    const sent = waiting(caller);
    await until(() => arrived.mock.calls.length === 1 + sent.length);
    const timeIsOver = () => {
      // Vitest does not type the object of a method.
      for (const limit of limits.mock.contexts.slice(1) as Deadline[]) limit.end();
    };
    return { busy, caller, first, sent, release, timeIsOver };
  }

  test("is not stored if its caller leaves before, and its neighbours share a statement", async () => {
    const leaving = new AbortController();
    const { busy, caller, first, sent, release } = await whileOneIsUnderWay((caller) => [
      submit(caller, "a"),
      submit(caller, "left", { signal: leaving.signal }),
      submit(caller, "b"),
    ]);
    leaving.abort();
    expect(await sent[1]).toBe(503);
    await release();
    expect(await Promise.all([first, sent[0], sent[2]])).toEqual([200, 200, 200]);
    const [a, b, other, ...more] = await storedOf(busy, caller);
    expect([a?.id, b?.id, other?.id, ...more]).toEqual(["a", "b", "first"]);
    expect(a?.statement).toBe(b?.statement);
  });

  test("is not stored if its time is over before, and the next one is", async () => {
    const { busy, caller, first, sent, release, timeIsOver } = await whileOneIsUnderWay((caller) => [
      submit(caller, "a"),
      submit(caller, "b"),
    ]);
    timeIsOver();
    expect(await Promise.all(sent)).toEqual([503, 503]);
    await release();
    expect(await first).toBe(200);
    expect(await submit(caller, "later")).toBe(200);
    expect((await storedOf(busy, caller)).map(({ id }) => id)).toEqual(["first", "later"]);
  });
});

test("a caller that sends its body slowly holds up nobody, of its own contract either", async () => {
  const caller = await newCaller();
  const body = Buffer.from(bodyOf(caller));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  void writer.write(body.subarray(0, 10));
  const slow = submit(caller, "slow", { body: readable, duplex: "half" } as RequestInit);
  expect(await times(12, (at) => submit(caller, `quick-${at}`))).toEqual(
    Array.from({ length: 12 }, () => 200),
  );
  expect(await storedOf(caller)).toHaveLength(12);
  void writer.write(body.subarray(10));
  void writer.close();
  expect(await slow).toBe(200);
});
