import { readFileSync } from "node:fs";

const LOOK_EVERY_MS = 250;

/**
 * Stops this process cleanly when the npm that started it exits. npm runs scripts in a shell. A signal to npm ends that
 * shell (dash, on Debian) without reaching us, and the service would keep running in the background.
 */
export function stopWithNpm() {
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

/** The npm process above the shell, if there is one. Only Linux shows it. */
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
