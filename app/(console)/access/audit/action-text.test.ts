import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { AUDIT_ACTIONS } from "@/server/audit/actions";
import { WEBHOOK_EVENT_NAMES } from "@/server/kernel/values/batch-terms";
import { ACTION_TEXT, sentenceOf } from "./action-text";

test.each([
  ["batch.cancel", { reason: null }, "cancelled the batch"],
  ["batch.hold", { reason: "check", job: "0d5e" }, "put the batch on hold in a bulk job: “check”"],
  ["contract.operator", { operator: null }, "removed the operator"],
  ["batch.submit", { transferCount: 1, points: "2002000.5" }, "submitted the batch: 1 transfer, 2,002,000.5"],
  [
    "change.approve",
    { kind: "RULE", pointType: "PHASE2_GOLD", threshold: "10", onUnusual: true },
    "approved an approval rule for PHASE2_GOLD (from 10, when unusual)",
  ],
  [
    "change.reject",
    { kind: "ISSUANCE", issuance: "PREFUNDED" },
    "rejected a change of issuance to PREFUNDED",
  ],
  ["change.withdraw", { kind: "OPERATOR", operatorAddress: null }, "withdrew the removal of the operator"],
  ["toString", {}, "toString"],
])("an entry of the audit log is a sentence: %s %j", (action, detail, sentence) => {
  expect(sentenceOf({ action, detail })).toBe(sentence);
});

test("an entry of any action reads well, even without details", () => {
  for (const action of AUDIT_ACTIONS) {
    expect(sentenceOf({ action, detail: {} }), action).toMatch(/^[a-z][a-z ]+$/);
    expect(ACTION_TEXT[action][0], action).toMatch(/^[A-Z]/);
  }
});

const ACTION =
  /["']((?:staff|contract|recipient|token|change|view|webhook|points|batch|note|bulk|finalizer|ledger|alert|backup)\.[a-z]+)["']/g;

/** Action names in the source, each with its file. */
function namedActions(): { file: string; action: string }[] {
  return readdirSync("server", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|^audit[\\/]actions\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(path.join("server", file), "utf8").matchAll(ACTION)].map((match) => ({
        file,
        action: match[1]!,
      })),
    )
    .filter(({ action }) => !(WEBHOOK_EVENT_NAMES as readonly string[]).includes(action));
}

test("the list has exactly the actions that are written to the audit log", () => {
  const named = namedActions();
  expect(named.filter(({ action }) => !(AUDIT_ACTIONS as readonly string[]).includes(action))).toEqual([]);
  expect([...new Set(named.map(({ action }) => action))].sort()).toEqual([...AUDIT_ACTIONS].sort());
});
