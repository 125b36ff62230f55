import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTS from "openapi-typescript";
import { createDatabase } from "@/db/client";
import { startEmbeddedPostgres } from "@/db/embedded";
import { migrateDatabase } from "@/db/migrate";
import { SETTINGS } from "@/server/kernel/env";
import { openApiText } from "@/server/rest/document/openapi-document";
import { dumpSchema } from "./dump-schema";
import { envExample } from "./env-example";
import { licensesText } from "./licenses";
import { settingsPage } from "./settings-page";

/**
 * Writes the generated files: settings, the OpenAPI document and its types, licenses, the schema. With `--check` it only
 * compares them, and fails if one is out of date.
 */
async function generate(checkOnly: boolean): Promise<void> {
  for (const name of Object.keys(SETTINGS)) delete process.env[name];
  const files = {
    ".env.example": envExample(),
    "docs/settings.md": settingsPage(),
    "openapi.json": openApiText(),
    "client/src/api-types.ts": await clientTypes(),
    "docs/licenses.md": licensesText(),
    "db/schema.sql": await schemaOfMigrations(),
  };
  for (const [path, text] of Object.entries(files)) {
    const isFresh = existsSync(path) && readFileSync(path, "utf8") === text;
    if (isFresh) continue;
    if (checkOnly) {
      console.error(`${path} is out of date. Run \`npm run generate\` and commit it.`);
      process.exitCode = 1;
    } else {
      writeFileSync(path, text);
      console.log(`wrote ${path}`);
    }
  }
}

/** The client's types, from the served document. */
function clientTypes(): Promise<string> {
  return openapiTS(JSON.parse(openApiText()), { silent: true });
}

async function schemaOfMigrations(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "schema-"));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await migrateDatabase({ url: postgres.url, timeoutSeconds: 10 });
    const db = createDatabase({ url: postgres.url, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
    const text = await dumpSchema(db.sql);
    await db.close();
    return text;
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await generate(process.argv.includes("--check"));
