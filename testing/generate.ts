import { existsSync, readFileSync, writeFileSync } from "node:fs";
import openapiTS from "openapi-typescript";
import { SETTINGS } from "@/server/kernel/env";
import { openApiText } from "@/server/rest/document/openapi-document";
import { envExample, settingsPage } from "./settings-page";

/**
 * Writes the generated files: settings, the OpenAPI document and its types. With `--check` it only compares
 * them, and fails if one is out of date.
 */
async function generate(checkOnly: boolean): Promise<void> {
  for (const name of Object.keys(SETTINGS)) delete process.env[name];
  // The published document has the defaults of a deployment, not those of the embedded Postgres.
  process.env.MINIMUM_FINALIZE_SECONDS = String(SETTINGS.MINIMUM_FINALIZE_SECONDS.parse(undefined));
  const files = {
    ".env.example": envExample(),
    "docs/settings.md": settingsPage(),
    "openapi.json": openApiText(),
    "client/src/api-types.ts": await clientTypes(),
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

await generate(process.argv.includes("--check"));
