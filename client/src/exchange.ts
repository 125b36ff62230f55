import { ConnectionFailure, toConnectionFailure } from "./connection-failure.ts";
import type { WholeReply } from "./read-reply.ts";

export interface Exchange {
  fetch: typeof fetch;
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  hide: (text: string) => string;
}

/**
 * Sends one request and reads its whole reply, both within the timeout.
 * @throws ConnectionFailure, or the signal's own reason when the caller aborts
 */
export async function exchange(sent: Exchange): Promise<WholeReply> {
  const { signal, timeoutMs, hide } = sent;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The race also covers a `fetch` that ignores its signal.
  const stopped = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ConnectionFailure("timeout", `No complete reply within ${timeoutMs} ms.`));
      abort();
    }, timeoutMs);
    signal?.addEventListener("abort", abort, { once: true });
    controller.signal.addEventListener("abort", () => reject(signal?.reason), { once: true });
  });
  try {
    return await Promise.race([sendAndRead(sent, controller.signal), stopped]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof ConnectionFailure ? error : toConnectionFailure(error, hide);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function sendAndRead({ fetch, url, method, headers, body }: Exchange, signal: AbortSignal) {
  // Not followed, because a redirect could turn a PUT into a GET, or send the token to another host.
  const reply = await fetch(url, { method, headers, body, signal, redirect: "manual" });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}
