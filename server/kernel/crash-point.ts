/** Places where a crash leaves work unfinished. Between two of them is a single SQL statement, so a single transaction. */
export type CrashPoint = "before-submit" | "after-submit" | "after-cancel" | "after-claim" | "after-settle";

/** Kills this process like `kill -9`. Only in fault runs: FAULTS must be `on`, and CRASH_AT must name the place. */
export function crashPoint(name: CrashPoint): void {
  if (process.env.FAULTS === "on" && process.env.CRASH_AT === name) process.kill(process.pid, "SIGKILL");
}
