import { single } from "./single";

/** Whether this process is shutting down: set by the host on a stop signal, read by readiness and the scheduler. */
export function lifecycle(): { draining: boolean } {
  return single("lifecycle", () => ({ draining: false }));
}
