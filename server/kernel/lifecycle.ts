import { single } from "./single";

/** Whether this process is shutting down. The host sets it on a stop signal; readiness and the scheduler read it. */
export function lifecycle(): { draining: boolean } {
  return single("lifecycle", () => ({ draining: false }));
}
