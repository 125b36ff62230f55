import { notify } from "./toast";

/** Copies a text, and says whether the browser let it; when not, a message does. */
export async function copyText(value: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    notify("error", `The browser did not let the ${what} be copied.`);
    return false;
  }
}
