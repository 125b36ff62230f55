import { describe, expect, test } from "vitest";
import { type Arrow, forbiddenArrows, importsOf, readArrows } from "./import-arrows";

describe("the imports of the project", () => {
  const arrows = readArrows(process.cwd(), ["app", "server", "db", "client"]);

  test("are found", () => {
    expect(arrows.length).toBeGreaterThan(300);
    expect(arrows).toContainEqual({
      from: "server/batches/prepare-batch.ts",
      to: "server/ledger/points",
      isType: false,
    });
    expect(arrows).toContainEqual({ from: "server/ledger/settle.ts", to: "db/client", isType: true });
  });

  test("point from app to server to db, and never back", () => {
    expect(forbiddenArrows(arrows).join("\n")).toBe("");
  });
});

describe("an import line", () => {
  test.each([
    ['import { a } from "@/db/client";', "db/client", false],
    ['import type { A } from "../ledger/points";', "server/ledger/points", true],
    ['import {\n  a,\n  b,\n} from "./cursor";', "server/batches/cursor", false],
    ['export { a } from "../fields";', "server/fields", false],
    ['import "server-only";', "server-only", false],
    ['const a = await import("../staff/create-staff");', "server/staff/create-staff", false],
    ["import postgres, { type Sql } from 'postgres';", "postgres", false],
    ['import { a } from "./cursor.ts";', "server/batches/cursor", false],
  ])("%s", (line, to, isType) => {
    expect(importsOf("server/batches/x.ts", line)).toEqual([{ from: "server/batches/x.ts", to, isType }]);
  });

  test("in a comment is none", () => {
    expect(importsOf("server/x.ts", '// import { a } from "./a";\n/* import { b } from "./b"; */')).toEqual(
      [],
    );
  });
});

/** One arrow for each rule: a rule that never says no guards nothing. */
const FORBIDDEN: [from: string, to: string, words: RegExp, isType?: boolean][] = [
  ["db/client.ts", "server/settings", /ground floor/],
  ["server/health.ts", "app/ui/button", /never imports `app`/],
  ["app/page.tsx", "db/client", /no SQL/],
  ["server/batches/rows.ts", "next/headers", /know Next/],
  ["server/settings.ts", "next-auth", /know Next/],
  ["server/batches/submit-batch.ts", "@trpc/server", /know tRPC/],
  ["server/ledger/accounts.ts", "server/trpc/procedures", /know tRPC/],
  ["server/ledger/settle.ts", "server/batches/get-batch", /never back/],
  ["server/batches/cursor.ts", "node:crypto", /Pure files/],
  ["server/batches/digest.ts", "server/database", /Pure files/],
  ["server/health.ts", "server/testing/factories", /never imports a test/],
  ["app/ui/badge.tsx", "server/batches/state", /no domain word/],
  ["client/src/digest.ts", "server/batches/digest", /package of its own/],
  ["client/src/digest.ts", "@noble/hashes/sha2", /package of its own/],
  ["client/src/digest.ts", "client/src/testing/scripted-fetch", /never imports a test/],
  ["server/health.ts", "client/src/digest", /never import `client`/],
];
const ALLOWED: [from: string, to: string, isType?: boolean][] = [
  ["app/page.tsx", "server/trpc/caller"],
  ["app/page.tsx", "next/navigation"],
  ["server/host/serve.ts", "next"],
  ["server/auth/staff-session.ts", "next-auth"],
  ["server/batches/router.ts", "server/trpc/procedures"],
  ["server/batches/submit-batch.ts", "server/ledger/accounts"],
  ["server/ledger/settle.ts", "db/client"],
  ["server/batches/digest.ts", "server/ledger/points"],
  ["server/batches/list-batches.db.test.ts", "server/testing/factories"],
  ["app/page.tsx", "client/src/digest"],
  ["client/src/create-client.ts", "client/src/digest"],
  ["client/src/digest.test.ts", "server/batches/digest"],
];

describe("the rules", () => {
  test.each(FORBIDDEN)("refuse %s → %s", (from, to, words, isType = false) => {
    expect(forbiddenArrows([{ from, to, isType } satisfies Arrow]).join("\n")).toMatch(words);
  });
  test.each(ALLOWED)("allow %s → %s", (from, to, isType = false) => {
    expect(forbiddenArrows([{ from, to, isType }])).toEqual([]);
  });
});
