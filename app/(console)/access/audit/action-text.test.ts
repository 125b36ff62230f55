import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from "@/server/audit/actions";
import { WEBHOOK_EVENT_NAMES } from "@/terms/batch-terms";
import { sentenceOf } from "./action-text";

test("an entry of any action reads well, even without details", () => {
  for (const action of AUDIT_ACTION_NAMES) {
    expect(sentenceOf({ action, detail: {} }), action).toMatch(/^[a-z][a-z ]+$/);
    expect(AUDIT_ACTIONS[action][0], action).toMatch(/^[A-Z]/);
  }
});

const NOUNS =
  "staff|contract|recipient|token|change|view|webhook|points|batch|note|bulk|finalizer|ledger|snapshot|" +
  "allocation|alert|backup|payout";
/** Not names of files, such as `points.csv`. */
const ACTION = new RegExp(`["']((?:${NOUNS})\\.(?!csv)[a-z]+)["']`, "g");

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

/** Rows of an earlier version. */
const RETIRED = ["note.create", "note.delete", "view.create", "view.delete"];

test("the list has exactly the actions that are or were written to the audit log", () => {
  const named = namedActions();
  expect(named.filter(({ action }) => !Object.hasOwn(AUDIT_ACTIONS, action))).toEqual([]);
  const actions = new Set([...named.map(({ action }) => action), ...RETIRED]);
  expect([...actions].sort()).toEqual([...AUDIT_ACTION_NAMES].sort());
});

test("a sentence names a type of points as people do", () => {
  const detail = { points: "1500", pointType: "PHASE2_GOLD" };
  expect(sentenceOf({ action: "points.grant", detail })).toBe("granted 1,500 Gold");
});
