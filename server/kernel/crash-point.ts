/** Places where a crash leaves work half done. What lies between two of them is one SQL statement, which is one transaction. */
export type CrashPoint = "before-submit" | "after-submit" | "after-cancel" | "after-claim" | "after-settle";

/** Ends this process as `kill -9` does, in fault runs alone: when FAULTS is `on` and CRASH_AT names the place. */
export function crashPoint(name: CrashPoint): void {
  if (process.env.FAULTS === "on" && process.env.CRASH_AT === name) process.kill(process.pid, "SIGKILL");
}
