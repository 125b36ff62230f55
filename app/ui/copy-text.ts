import { notify } from "./toast";

/** Shows an error when the browser blocks access to the clipboard. @returns whether it was copied */
export async function copyText(value: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    notify("error", `The browser blocked copying. Select the ${what} and copy it manually.`);
    return false;
  }
}

/** For actions that cannot show success themselves. */
export async function copyAndNotify(value: string, what: string): Promise<void> {
  if (await copyText(value, what)) notify("success", `${what[0]!.toUpperCase()}${what.slice(1)} copied`);
}
