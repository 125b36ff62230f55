// The service as one Node process. `server/launch.mjs` makes `dist/host.mjs` of this file and runs it.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { startService } from "./start-service";
import { StopList } from "./stop-all";
import { watchProcess } from "./watch-process";

// By itself V8 lets a heap grow to about four times what is alive before it collects the old part of it. The room for what
// is young can only be set from outside: `--max-semi-space-size` of `npm start`, of the image and of the unit.
setFlagsFromString("--heap-growing-percent=60");
const program = fileURLToPath(import.meta.url);
const projectFolder = dirname(dirname(program));
if (process.env.NODE_ENV !== "development") Object.assign(process.env, { NODE_ENV: "production" });
process.env.NEXT_TELEMETRY_DISABLED = "1";
process.chdir(projectFolder);

const stops = new StopList();
watchProcess(() => stops.stopAll());
try {
  const lines = await startService({ projectFolder, program }, stops);
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
} catch (error) {
  process.stderr.write(`${forPeople(error)}\n`);
  await stops.stopAll();
  process.exit(1);
}

/** One line when it was written for people; the stack when nobody foresaw it. */
function forPeople(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const foreseen = ["SettingsError", "EmbeddedPostgresError", "StartError", "MigrationBlockedError"].includes(
    error.name,
  );
  return foreseen ? error.message : (error.stack ?? error.message);
}
