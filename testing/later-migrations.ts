import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface MigrationsFolder {
  path: string;
  remove(): void;
}

/** A later version's migrations: ours, then made-up ones. @param later the SQL of each, in order */
export function laterMigrations(...later: string[]): MigrationsFolder {
  const folder = mkdtempSync(path.join(tmpdir(), "later-migrations-"));
  cpSync(path.join(process.cwd(), "db", "migrations"), folder, { recursive: true });
  const file = path.join(folder, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8")) as { entries: { when: number; tag: string }[] };
  for (const [index, sql] of later.entries()) {
    const tag = `9${String(index).padStart(3, "0")}_later`;
    journal.entries.push({ when: journal.entries.at(-1)!.when + 1, tag });
    writeFileSync(path.join(folder, `${tag}.sql`), sql);
  }
  writeFileSync(file, JSON.stringify(journal));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
