import { readFileSync } from "node:fs";

const LOOK_EVERY_MS = 250;

/**
 * Ends this process in order when the npm that started it has ended. npm runs scripts below a shell, and a signal for
 * npm ends that shell (dash, on Debian) without reaching us: the service would go on unseen.
 */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === "win32") return;
  const parent = process.ppid;
  const npm = npmAbove(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === null || isAlive(npm))) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** npm's own process when a shell stands between, where that can be seen: on Linux. */
function npmAbove(shell) {
  try {
    const above = Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${shell}/stat`, "utf8"))?.[1]);
    return readFileSync(`/proc/${above}/cmdline`, "utf8").startsWith("npm") ? above : null;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
