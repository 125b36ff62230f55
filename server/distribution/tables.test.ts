import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { DISTRIBUTED_TABLES, LOCAL_TABLES, MANAGED_TABLES } from "./distribute-tables";

/** Files that write both kinds of tables, but do not need both writes to be atomic. */
const APART: Record<string, string> = {
  "server/finalizer/delete-expired.ts": "each table is swept by its own statement",
  "server/demo":
    "writes every shard in one transaction, which Citus commits in two phases together with the coordinator",
};

const ROOT = path.resolve(import.meta.dirname, "../..");

function sources(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return name === "testing" ? [] : sources(name);
    return name.endsWith(".ts") && !name.endsWith(".test.ts") ? [name] : [];
  });
}

function writes(text: string, tables: object): string[] {
  return Object.keys(tables).filter((table) =>
    new RegExp(`\\b(?:insert into|update|delete from) ${table}\\b`, "i").test(text),
  );
}

test("a local table that is written together with a distributed one is managed by Citus", () => {
  const unmanaged = sources("server")
    .filter((file) => !Object.keys(APART).some((apart) => file.startsWith(apart)))
    .flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), "utf8");
      if (writes(text, DISTRIBUTED_TABLES).length === 0) return [];
      return writes(text, LOCAL_TABLES)
        .filter((table) => !(table in MANAGED_TABLES))
        .map((table) => `${file} writes ${table}`);
    });
  expect(unmanaged).toEqual([]);
});
