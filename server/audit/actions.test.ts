import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { AUDIT_ACTIONS } from "./actions";

const ACTION = /["']((?:staff|contract|token|points|batch|finalizer|ledger)\.[a-z]+)["']/g;

/** The source files that write the audit log, with the names of actions that stand in them. */
function writers(): { file: string; actions: string[] }[] {
  return (
    readdirSync("server", { recursive: true, encoding: "utf8" })
      .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name))
      .map((name) => ({ file: name, text: readFileSync(path.join("server", name), "utf8") }))
      // The one helper that is told its action, in a type of this list.
      .filter(({ file }) => !file.endsWith("audit-of-person.ts"))
      .filter(({ text }) => /insert into audit_log|auditOfPerson\(/.test(text))
      .map(({ file, text }) => ({ file, actions: [...text.matchAll(ACTION)].map((match) => match[1]!) }))
  );
}

test("every action that is written to the audit log has its name in the list", () => {
  const found = writers();
  expect(found.length).toBeGreaterThan(8);
  for (const { file, actions } of found) {
    expect(actions.length, `${file} names its action in its statement`).toBeGreaterThan(0);
    for (const action of actions) expect(AUDIT_ACTIONS, file).toContain(action);
  }
});
