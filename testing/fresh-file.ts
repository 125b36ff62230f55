import { vi } from "vitest";
import { pretendNoShards } from "./citus/make-database";
import { forgetSingles } from "./rest-request";

/** Files of a worker share its modules. Each begins with the run's settings, and without what others made. */
const worker = globalThis as { startedWith?: NodeJS.ProcessEnv; waitFor?: typeof vi.waitFor };
worker.startedWith ??= { ...process.env };
for (const name of Object.keys(process.env)) if (!(name in worker.startedWith)) delete process.env[name];
Object.assign(process.env, worker.startedWith);
forgetSingles();
pretendNoShards();
/** A busy machine takes longer than the second that Vitest waits for a condition. */
const PATIENCE_MS = 60_000;
worker.waitFor ??= vi.waitFor;
const { waitFor } = worker;
vi.waitFor = (condition, options = PATIENCE_MS) => waitFor(condition, options);
vi.useRealTimers();
vi.restoreAllMocks();
