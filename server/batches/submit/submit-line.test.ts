import { afterEach, describe, expect, test, vi } from "vitest";
import { batchOf, wallet } from "@/testing/factories";
import { PATIENCE_MS, type ReadyBatch, SubmitLine, sharesStatement, type Verdict } from "./submit-line";
import type { SubmitBatchInput } from "./submit-schema";

const [A, B] = [wallet(0xa), wallet(0xb)];

/** Work that ends when the test says so. */
function signal<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}

const startTimer = globalThis.setTimeout;
afterEach(() => {
  vi.unstubAllGlobals();
});

/**
 * A line whose statements end when the test says so. `alone` and `groups` are the statements so far.
 * @param mayBeLate without it no statement takes long, however slow the machine is
 */
function openLine({ mayBeLate = false } = {}) {
  const start = (run: () => void, ms: number) => (ms === PATIENCE_MS ? undefined : startTimer(run, ms));
  if (!mayBeLate) vi.stubGlobal("setTimeout", start);
  const alone: { id: string; end: ReturnType<typeof signal<boolean>> }[] = [];
  const groups: { ids: string[]; end: ReturnType<typeof signal<Verdict[]>> }[] = [];
  const line = new SubmitLine((group) => {
    const end = signal<Verdict[]>();
    groups.push({ ids: group.map(({ batchId }) => batchId), end });
    return end.promise;
  });
  const send = (batchId: string, contract = A, { transfers = 1, requireWanted = () => {} } = {}) => {
    const rows = Array.from({ length: transfers }, (_, at) => [at + 1, "1"] as const);
    return line.store({
      ctx: { requireWanted },
      input: batchOf(contract, rows),
      batchId,
      storeAlone: () => {
        const end = signal<boolean>();
        alone.push({ id: batchId, end });
        return end.promise;
      },
    } as unknown as ReadyBatch);
  };
  return { alone, groups, send };
}

/** The rest of this turn of the event loop: what was sent in it goes together. */
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Waits for a condition. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe("the line of submits", () => {
  test("a lone batch waits for nobody; those that arrive meanwhile go together, in order", async () => {
    const { alone, groups, send } = openLine();
    const first = send("1");
    await turn();
    expect(alone.map(({ id }) => id)).toEqual(["1"]);
    const others = ["2", "3", "4"].map((id) => send(id, B));
    alone[0]!.end.resolve(true);
    expect(await first).toBe(true);
    await until(() => groups.length === 1);
    expect(groups[0]!.ids).toEqual(["2", "3", "4"]);
    groups[0]!.end.resolve(["stored", "kept", "alone"]);
    await until(() => alone.length === 2);
    expect(alone[1]!.id).toBe("4");
    alone[1]!.end.resolve(true);
    expect(await Promise.all(others)).toEqual([true, false, true]);
    void send("5");
    await turn();
    expect(alone[2]!.id).toBe("5");
  });

  test("batches that arrive in the same turn of the event loop go together", async () => {
    const { alone, groups, send } = openLine();
    void send("1", A);
    void Promise.resolve().then(() => send("2", B));
    await turn();
    expect([alone.length, ...groups.map(({ ids }) => ids)]).toEqual([0, ["1", "2"]]);
  });

  test("a group has at most 64 batches and 20,000 transfers", async () => {
    const { alone, groups, send } = openLine();
    void send("first", B);
    await turn();
    for (let at = 0; at < 70; at++) void send(`small ${at}`, B);
    for (let at = 0; at < 50; at++) void send(`large ${at}`, B, { transfers: 500 });
    alone[0]!.end.resolve(true);
    const sizes: number[] = [];
    while (sizes.reduce((sum, size) => sum + size, 0) < 120) {
      await until(() => groups.length > sizes.length);
      const { ids, end } = groups.at(-1)!;
      sizes.push(ids.length);
      end.resolve(ids.map(() => "stored"));
    }
    expect(sizes).toEqual([64, 6 + 39, 11]);
  });

  test("a second statement starts beside the first for eight batches, but never for the same contract", async () => {
    const { alone, groups, send } = openLine();
    void send("first", A);
    await turn();
    for (const at of [1, 2, 3, 4, 5, 6, 7]) void send(`B ${at}`, B);
    for (const at of [1, 2, 3, 4, 5, 6, 7, 8]) void send(`A ${at}`, A);
    await turn();
    expect([alone.length, groups.length]).toEqual([1, 0]);
    void send("B 8", B);
    await turn();
    expect(groups.map(({ ids }) => ids)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8].map((at) => `B ${at}`)]);
    for (const at of [1, 2, 3, 4, 5, 6, 7, 8]) void send(`C ${at}`, wallet(0xc));
    await turn();
    expect(groups).toHaveLength(1);
    alone[0]!.end.resolve(true);
    await until(() => groups.length === 2);
    const ofA = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => `A ${at}`);
    expect(groups[1]!.ids).toEqual([...ofA, ...[1, 2, 3, 4, 5, 6, 7, 8].map((at) => `C ${at}`)]);
  });

  test("a batch whose caller left is not stored, and its caller gets the reason", async () => {
    const { alone, groups, send } = openLine();
    void send("first");
    await turn();
    const left = send("left", A, {
      requireWanted: () => {
        throw new Error("The caller left.");
      },
    });
    void send("2");
    void send("3");
    alone[0]!.end.resolve(true);
    await expect(left).rejects.toThrow("The caller left.");
    await until(() => groups.length === 1);
    expect(groups[0]!.ids).toEqual(["2", "3"]);
  });

  const finish = (group: { end: ReturnType<typeof signal<Verdict[]>> }, verdicts: Verdict[] | Error) =>
    verdicts instanceof Error ? group.end.reject(verdicts) : group.end.resolve(verdicts);

  test("after a group whose outcome is unknown, no failure says that a batch was not stored", async () => {
    const { alone, groups, send } = openLine();
    void send("first");
    await turn();
    const others = ["2", "3"].map((id) => send(id));
    alone[0]!.end.resolve(true);
    await until(() => groups.length === 1);
    const failed = (code: string) => Object.assign(new Error("…"), { code });
    groups[0]!.end.reject(failed("CONNECTION_CLOSED"));
    await until(() => alone.length === 3);
    for (const { end } of alone.slice(1)) end.reject(failed("ECONNREFUSED"));
    for (const other of others) await expect(other).rejects.toMatchObject({ code: "outcome_unknown" });
  });

  test.each<[does: string, Verdict[] | Error]>([
    ["leaves to a statement of its own", ["stored", "alone"]],
    ["fails on", new Error("One of them broke a rule.")],
  ])("a batch that its group %s is not stored either if its caller left meanwhile", async (_, verdicts) => {
    const { alone, groups, send } = openLine();
    void send("first");
    await turn();
    let hasLeft = false;
    const requireWanted = () => {
      if (hasLeft) throw new Error("The caller left.");
    };
    let isOver = false;
    const ended = Promise.allSettled([send("stays"), send("left", A, { requireWanted })]).finally(() => {
      isOver = true;
    });
    alone[0]!.end.resolve(true);
    await until(() => groups.length === 1);
    hasLeft = true;
    finish(groups[0]!, verdicts);
    await until(() => {
      for (const { end } of alone) end.resolve(true);
      return isOver;
    });
    expect((await ended).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(alone.map(({ id }) => id)).not.toContain("left");
  });

  test("when a group fails, each of its batches goes alone and gets its own outcome", async () => {
    const { alone, groups, send } = openLine();
    void send("first");
    await turn();
    const [good, bad] = [send("good"), send("bad")];
    alone[0]!.end.resolve(true);
    await until(() => groups.length === 1);
    groups[0]!.end.reject(new Error("One of them broke a rule."));
    await until(() => alone.length === 3);
    alone[1]!.end.resolve(true);
    alone[2]!.end.reject(new Error("bad broke a rule."));
    expect(await good).toBe(true);
    await expect(bad).rejects.toThrow("bad broke a rule.");
  });

  test("a statement that takes long delays nobody else; more of its contracts' batches go alone", async () => {
    const { alone, groups, send } = openLine({ mayBeLate: true });
    const stuck = send("stuck", A);
    await turn();
    const same = send("same", A);
    const others = [send("2", B), send("3", B)];
    await until(() => groups.length === 1);
    expect(groups[0]!.ids).toEqual(["2", "3"]);
    expect(alone.map(({ id }) => id)).toEqual(["stuck", "same"]);
    groups[0]!.end.resolve(["stored", "stored"]);
    expect(await Promise.all(others)).toEqual([true, true]);
    for (const { end } of alone) end.resolve(true);
    expect(await Promise.all([stuck, same])).toEqual([true, true]);
  });
});

test("only a contract's own small batch without references and payout shares a statement", () => {
  const shares = (input: Partial<SubmitBatchInput>, actor = "token:live") =>
    sharesStatement({ ctx: { actor } as never, input: { ...batchOf(A, [[1, "1"]]), ...input } });
  expect(shares({})).toBe(true);
  expect(shares({ metadata: { season: "3" } }, `operator:${A}`)).toBe(true);
  expect(shares({}, "staff:ann@example.com")).toBe(false);
  expect(shares({ corrects: "b" })).toBe(false);
  expect(shares({ payoutId: "season-3" })).toBe(false);
  expect(shares({ payout: { id: "f", part: 1, partCount: 2, fileName: "f.csv" } })).toBe(false);
  expect(shares({ transfers: [{ toAddress: B, points: "1", reference: "invoice 1" }] })).toBe(false);
  const rows = Array.from({ length: 501 }, (_, at) => [at + 1, "1"] as const);
  expect(shares({ transfers: batchOf(A, rows).transfers })).toBe(false);
});
