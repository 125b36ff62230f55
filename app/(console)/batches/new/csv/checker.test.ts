import { afterEach, expect, test, vi } from "vitest";
import { LIMITS } from "@/testing/factories";
import { type Answered, type Asked, UNTREATED } from "./checked";
import { Checker } from "./checker";

afterEach(() => vi.unstubAllGlobals());

test("a check that a newer one replaced keeps no handler: later replies to it reach nobody", () => {
  const asked: Asked[] = [];
  let answer: (reply: Answered) => void = () => {};
  vi.stubGlobal(
    "Worker",
    class {
      set onmessage(handle: (event: { data: Answered }) => void) {
        answer = (data) => handle({ data });
      }
      postMessage(request: Asked) {
        asked.push(request);
      }
    },
  );
  const checker = new Checker();
  const columns = { header: true, names: [], samples: [], map: { toAddress: 0, points: 1 } };
  const options = {
    contractAddress: "",
    pointType: "PHASE2_POINTS" as const,
    limits: LIMITS,
    columns,
    treatment: UNTREATED,
  };
  const seen: string[] = [];
  void checker.check(options, () => seen.push("first"));
  void checker.check(options, () => seen.push("second"));
  for (const { ask } of asked) answer({ kind: "progress", done: 1, total: 2, ask });
  void checker.load("", "rows");
  for (const { ask } of asked) answer({ kind: "progress", done: 2, total: 2, ask });
  expect(seen).toEqual(["second"]);
});
