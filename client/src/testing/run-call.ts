import { vi } from "vitest";
import { type Client, createClient } from "../create-client.ts";
import type { RetryNotice } from "../transport.ts";
import { type Step, scriptedFetch } from "./scripted-fetch.ts";

/** Runs a call against scripted replies, skipping its waits with fake timers. */
export async function runCall<T>(call: (client: Client) => Promise<T>, steps: Step[], options: object = {}) {
  const { fetch, requests } = scriptedFetch(...steps);
  const notices: RetryNotice[] = [];
  const onRetry = (notice: RetryNotice) => void notices.push(notice);
  const base = { baseUrl: "http://service/api/", token: "t-0", contractAddress: "0xC0" };
  const ending = call(createClient({ ...base, fetch, onRetry, ...options })).then(
    (value) => ({ value, error: undefined }),
    (error: Error) => ({ value: undefined, error }),
  );
  await vi.runAllTimersAsync();
  return { ...(await ending), requests, notices, delays: notices.map((notice) => notice.delayMs) };
}
