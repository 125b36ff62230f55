import { describe, expect, test } from "vitest";
import { AUDIT_ACTIONS } from "@/server/audit/actions";
import { ACTION_TEXT, sentenceOf } from "./action-text";

describe("an entry of the audit log", () => {
  test.each([
    ["staff.role", { from: "viewer", to: "admin" }, "changed the role from viewer to admin"],
    ["batch.cancel", { reason: "wrong list" }, "cancelled the batch: “wrong list”"],
    ["batch.cancel", { reason: null }, "cancelled the batch"],
    ["batch.hold", { reason: "check", job: "0d5e" }, "put the batch on hold in a bulk job: “check”"],
    ["contract.operator", { operator: null }, "removed the operator"],
    [
      "batch.submit",
      { transferCount: 1, points: "2002000.5" },
      "submitted the batch: 1 transfer, 2,002,000.5",
    ],
    ["points.grant", { points: "10.5", pointType: "PHASE2_GOLD" }, "granted 10.5 PHASE2_GOLD"],
    [
      "change.propose",
      { kind: "GRANT", points: "1500", pointType: "PHASE2_GOLD", reason: "season" },
      "proposed a grant of 1,500 PHASE2_GOLD: “season”",
    ],
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
    [
      "token.create",
      { name: "backend", scopes: "batches:read" },
      "created the access token “backend” with batches:read",
    ],
  ])("%s is a sentence", (action, detail, sentence) => {
    expect(sentenceOf({ action, detail })).toBe(sentence);
  });

  test("of any action reads well, even without details", () => {
    for (const action of AUDIT_ACTIONS) {
      const sentence = sentenceOf({ action, detail: {} });
      expect(sentence, action).toMatch(/^[a-z][a-z ]+$/);
      expect(ACTION_TEXT[action][0], action).toMatch(/^[A-Z]/);
    }
    expect(new Set(Object.values(ACTION_TEXT).map(([name]) => name)).size).toBe(AUDIT_ACTIONS.length);
  });

  test("of an unknown action shows the action's code", () => {
    expect(sentenceOf({ action: "moon.landing", detail: {} })).toBe("moon.landing");
    expect(sentenceOf({ action: "toString", detail: {} })).toBe("toString");
  });
});
