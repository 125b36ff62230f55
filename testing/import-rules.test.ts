import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  fileCycles,
  folderCycles,
  forbiddenImports,
  type Import,
  importsOf,
  loadedByBrowser,
  readImports,
} from "./import-rules";

describe("the project's imports", () => {
  const arrows = readImports(process.cwd(), [
    "app",
    "server",
    "terms",
    "db",
    "client",
    "testing",
    "bench",
    "e2e",
  ]);

  test("are found", () => {
    expect(arrows.length).toBeGreaterThan(300);
    expect(arrows).toContainEqual({
      from: "server/batches/submit/digest.ts",
      to: "terms/points",
      isType: false,
    });
    expect(arrows).toContainEqual({ from: "server/ledger/settle.ts", to: "db/client", isType: true });
  });

  test("point from app to server to db, and never back", () => {
    expect(forbiddenImports(arrows).join("\n")).toBe("");
  });

  test("have no cycles between the folders of app, server and db", () => {
    expect(folderCycles(arrows)).toEqual([]);
  });

  test("have no cycles between files", () => {
    expect(fileCycles(arrows)).toEqual([]);
  });

  test("lead no browser file to a server file that is not pure", () => {
    const clientFiles = arrows
      .map(({ from }) => from)
      .filter((file) => file.startsWith("app/") && readFileSync(file, "utf8").startsWith('"use client"'));
    expect(loadedByBrowser(arrows, [...new Set(clientFiles)])).toEqual([]);
  });

  test("never hide a page while code comes later: each `dynamic` says what is shown until then", () => {
    const files = new Set(arrows.map(({ from }) => from).filter((file) => file.startsWith("app/")));
    const calls = [...files].flatMap((file) => readFileSync(file, "utf8").match(/ dynamic\([^;]*;/g) ?? []);
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.filter((call) => !call.includes("loading"))).toEqual([]);
  });

  test("a cycle of folders is found, and a test's imports do not count", () => {
    const circle = (from: string): Import[] => [
      { from, to: "server/b/x", isType: true },
      { from: "server/b/x.ts", to: "server/c/x", isType: false },
      { from: "server/c/x.ts", to: "server/a/y", isType: false },
    ];
    expect(folderCycles(circle("server/a/x.ts"))).toEqual([["server/a", "server/b", "server/c"]]);
    expect(folderCycles(circle("server/a/x.test.ts"))).toEqual([]);
  });
});

describe("an import line", () => {
  test.each([
    ['import { a } from "@/db/client";', "db/client", false],
    ['import type { A } from "@/terms/points";', "terms/points", true],
    ['import {\n  a,\n  b,\n} from "./cursor";', "server/batches/cursor", false],
    ['export { a } from "@/terms/fields";', "terms/fields", false],
    ['import "server-only";', "server-only", false],
    ['const a = await import("@/server/staff/create-staff");', "server/staff/create-staff", false],
    ["import postgres, { type Sql } from 'postgres';", "postgres", false],
    ['import { a } from "./cursor.ts";', "server/batches/cursor", false],
  ])("%s", (line, to, isType) => {
    expect(importsOf("server/batches/x.ts", line)).toEqual([{ from: "server/batches/x.ts", to, isType }]);
  });

  test("does not count in a comment", () => {
    expect(importsOf("server/x.ts", '// import { a } from "./a";\n/* import { b } from "./b"; */')).toEqual(
      [],
    );
  });
});

/** One import per rule, because a rule that refuses nothing is useless. */
const FORBIDDEN: [from: string, to: string, words: RegExp, isType?: boolean][] = [
  ["db/client.ts", "server/kernel/settings", /lowest floor/],
  ["server/host/health.ts", "app/ui/buttons", /never imports `app`/],
  ["server/kernel/log.ts", "server/batches/list/get-batch", /knows no domain/],
  ["server/staff/create-staff.ts", "server/host/serve", /who calls it/],
  ["app/page.tsx", "db/client", /no SQL/],
  ["server/kernel/batch-rows.ts", "next/headers", /import Next/],
  ["server/kernel/settings.ts", "next-auth", /import Next/],
  ["server/batches/submit/submit-batch.ts", "@trpc/server", /import tRPC/],
  ["server/ledger/accounts.ts", "server/auth/procedures", /import tRPC/],
  ["server/ledger/settle.ts", "server/batches/list/get-batch", /never the reverse/],
  ["server/kernel/cursor.ts", "node:crypto", /browser loads/],
  ["terms/row-rules.ts", "server/kernel/settings", /a floor under/, true],
  ["terms/points.ts", "postgres", /a floor under/],
  ["server/host/health.ts", "testing/factories", /never imports a test/],
  ["app/ui/states.tsx", "terms/batch-terms", /know no domain/],
  ["app/(console)/x/loading.tsx", "app/(console)/x/x-view", /sent a second time/],
  ["app/data/trpc.ts", "app/ui/toast", /only go down/],
  ["app/ui/button.tsx", "app/(console)/paths", /only go down/],
  ["app/(console)/batch-link.tsx", "app/(console)/batches/status", /only go down/],
  ["app/(console)/profile/profile-view.tsx", "app/(console)/shell/alerts", /only go down/, true],
  ["app/(console)/shell/menus.tsx", "app/(console)/search/palette", /only go down/],
  ["app/(console)/recipients/recipient-view.tsx", "app/r/wallet-view", /only go down/],
  ["client/src/digest.ts", "server/batches/submit/digest", /published alone/],
  ["client/src/digest.ts", "@noble/hashes/sha2", /published alone/],
  ["client/src/digest.ts", "client/src/testing/scripted-fetch", /never imports a test/],
  ["client/cli/main.ts", "server/kernel/cursor", /bundled alone/],
  ["client/cli/main.ts", "postgres", /bundled alone/],
  ["server/host/health.ts", "client/src/digest", /never import `client`/],
];
const ALLOWED: [from: string, to: string, isType?: boolean][] = [
  ["app/page.tsx", "server/trpc/caller"],
  ["app/page.tsx", "next/navigation"],
  ["app/ui/states.tsx", "app/data/problem"],
  ["app/r/wallet-view.tsx", "app/(console)/paths"],
  ["app/(console)/layout.tsx", "app/(console)/search/console-search"],
  ["server/host/serve.ts", "next"],
  ["server/auth/staff-session.ts", "next-auth"],
  ["server/batches/router.ts", "server/auth/procedures"],
  ["server/batches/submit/submit-batch.ts", "server/ledger/accounts"],
  ["server/ledger/settle.ts", "db/client"],
  ["server/batches/submit/digest.ts", "terms/points"],
  ["server/batches/list/list-batches.db.test.ts", "testing/factories"],
  ["app/page.tsx", "client/src/digest"],
  ["client/src/create-client.ts", "client/src/digest"],
  ["client/cli/main.ts", "terms/file/check-rows"],
  ["client/src/digest.ts", "terms/batch-text"],
];

describe("the rules", () => {
  test.each(FORBIDDEN)("refuse %s → %s", (from, to, words, isType = false) => {
    expect(forbiddenImports([{ from, to, isType } satisfies Import]).join("\n")).toMatch(words);
  });
  test.each(ALLOWED)("allow %s → %s", (from, to, isType = false) => {
    expect(forbiddenImports([{ from, to, isType }])).toEqual([]);
  });
});
