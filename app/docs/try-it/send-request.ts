import type { PlainRequest } from "./build-request";

const WAIT_MS_MAX = 30_000;

export interface Answer {
  status: number;
  statusText: string;
  /** Until the last byte of the body. */
  tookMs: number;
  headers: [name: string, value: string][];
  text: string;
  /** The problem code of an error response. */
  code: string | null;
}

/** Sends no cookies, like a contract's backend. @throws when there is no response */
export async function sendRequest({ method, path, headers, body }: PlainRequest): Promise<Answer> {
  const startMs = performance.now();
  const reply = await fetch(path, {
    method,
    headers,
    body,
    credentials: "omit",
    cache: "no-store",
    signal: AbortSignal.timeout(WAIT_MS_MAX),
  });
  const raw = await reply.text();
  const json = parse(raw);
  return {
    status: reply.status,
    statusText: reply.statusText,
    tookMs: Math.round(performance.now() - startMs),
    headers: [...reply.headers],
    text: json === undefined ? raw : JSON.stringify(json, null, 2),
    code: reply.headers.get("content-type")?.includes("problem+json") ? codeOf(json) : null,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf(json: unknown): string | null {
  const code = (json as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : null;
}
