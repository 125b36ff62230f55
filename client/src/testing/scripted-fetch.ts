import { vi } from "vitest";
import { type Client, createClient } from "../create-client.ts";
import type { RetryNotice } from "../transport.ts";

/** A request as the client sent it. */
export interface SeenRequest {
  url: string;
  method: string;
  headers: Headers;
  body: string | null;
}

/** What happens to one request: a reply, a network error, or the result of a function. */
export type Step =
  | Response
  | Error
  | ((request: SeenRequest, signal: AbortSignal) => Promise<Response> | Response);

/** Simulates transport errors. Each request takes the next step; an extra request fails the test. */
export function scriptedFetch(...steps: Step[]): { fetch: typeof fetch; requests: SeenRequest[] } {
  const requests: SeenRequest[] = [];
  const scripted = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const step = steps[requests.length];
    const request = {
      url: String(input),
      method: init.method ?? "GET",
      headers: new Headers(init.headers),
      body: (init.body as string | null | undefined) ?? null,
    };
    requests.push(request);
    if (step === undefined) throw new Error(`request ${requests.length} was not expected`);
    if (step instanceof Error) throw step;
    return typeof step === "function" ? step(request, init.signal!) : step;
  };
  return { fetch: scripted, requests };
}

export const ok = (body: object, headers: Record<string, string> = {}): Response =>
  Response.json({ success: true, ...body }, { headers });

export const problem = (
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Response =>
  Response.json(
    {
      success: false,
      type: `/docs/errors#${code}`,
      title: code,
      status,
      detail: "…",
      code,
      requestId: "r-1",
      ...more,
    },
    { status, headers: { "Content-Type": "application/problem+json", ...headers } },
  );

/** Fails like Node's `fetch`. */
export const networkError = (code: string): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("other side closed"), { code }) });

/** A reply whose headers arrive, but whose body never ends. */
export const endlessBody = (): Response =>
  new Response(
    new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{"success":')) }),
    {
      headers: { "Content-Type": "application/json" },
    },
  );

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("the call did not fail");
}

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
