import { describe, expect, test } from "vitest";
import { AUDIT_ACTIONS } from "@/server/audit/actions";
import { ACTION_WORDS, actorName, sentenceOf } from "./action-words";

describe("an entry of the audit log", () => {
  test.each([
    ["staff.role", { from: "viewer", to: "admin" }, "changed the role from viewer to admin"],
    ["staff.invite", { role: "operator" }, "invited the person as operator"],
    ["batch.cancel", { reason: "wrong list" }, "cancelled the batch because “wrong list”"],
    ["batch.cancel", { reason: null }, "cancelled the batch"],
    ["contract.operator", { operator: null }, "removed the operator"],
    [
      "batch.submit",
      { transferCount: 1, points: "2002000.5" },
      "submitted the batch of 1 transfer with 2,002,000.5",
    ],
    ["points.grant", { points: "10.5", pointType: "PHASE2_GOLD" }, "granted 10.5 PHASE2_GOLD"],
    [
      "token.create",
      { name: "backend", scopes: "batches:read" },
      "made the access token “backend” with batches:read",
    ],
  ])("%s is a sentence", (action, detail, words) => {
    expect(sentenceOf({ action, detail })).toBe(words);
  });

  test("of every action can be read, also without its details", () => {
    for (const action of AUDIT_ACTIONS) {
      const words = sentenceOf({ action, detail: {} });
      expect(words, action).toMatch(/^[a-z][a-z ]+$/);
      expect(ACTION_WORDS[action].name, action).toMatch(/^[A-Z]/);
    }
    expect(new Set(Object.values(ACTION_WORDS).map(({ name }) => name)).size).toBe(AUDIT_ACTIONS.length);
  });

  test("of an action that this version does not know is shown by its name", () => {
    expect(sentenceOf({ action: "moon.landing", detail: {} })).toBe("moon.landing");
    expect(sentenceOf({ action: "toString", detail: {} })).toBe("toString");
  });
});

test("actors are called as people call them", () => {
  expect(["staff:a@example.com", "ops", "first-run"].map(actorName)).toEqual([
    "a@example.com",
    "Command line",
    "First start",
  ]);
});
