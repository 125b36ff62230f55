// The service as one Node process. `server/launch.mjs` bundles this file as `dist/host.mjs` and runs it.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { withoutStatement } from "@/server/kernel/database-errors";
import { StopList, watchProcess } from "./lifecycle";
import { startService } from "./start-service";

// By default V8 lets the heap grow to about four times the live data before it collects old objects, too much
// for "memory under load" in docs/benchmarks.md. The size of the young generation can only be set on the
// command line: npm start, the image and the systemd unit set `--max-semi-space-size`, for "submit 2000 at
// 16, lower".
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
  process.stderr.write(`${messageOf(error)}\n`);
  await stops.stopAll();
  process.exit(1);
}

/** One line for expected errors, the stack for unexpected ones. */
function messageOf(thrown: unknown): string {
  const error = withoutStatement(thrown);
  if (!(error instanceof Error)) return String(error);
  const isExpected = [
    "SettingsError",
    "EmbeddedPostgresError",
    "StartError",
    "MigrationBlockedError",
  ].includes(error.name);
  return isExpected ? error.message : (error.stack ?? error.message);
}
