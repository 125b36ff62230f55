import { ApiProblem, ClientError, InvalidArgument } from "./client-error.ts";
import { exchange, type Reply, readReply } from "./exchange.ts";
import { delayBeforeRetry, isRefused, type Repeat, sleep } from "./retry-policy.ts";
import type { ProblemCode } from "./shapes.ts";
import { takeToken } from "./token.ts";
import type { Transport } from "./transport.ts";

/** Only of a POST must be said when it may be repeated. */
export type Operation = Sent &
  ({ method: "GET" | "PUT" | "DELETE"; repeat?: undefined } | { method: "POST"; repeat: Repeat });

interface Sent {
  /** The path from `/v1` on, with encoded parts. */
  path: string;
  query?: Record<string, string | number | boolean | Record<string, string> | undefined> | undefined;
  headers?: Record<string, string>;
  body?: unknown;
  /** A member of its successful body. */
  member: string;
  /** Whether it changes data, so that a lost reply leaves the outcome unknown; false when absent. */
  changes?: boolean;
  batchId?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Sends an operation, and retries it as far as its `repeat`, the transport's limits and the service's
 * `Retry-After` allow.
 * @throws ClientError with what is known about the attempts, or the signal's own reason when the caller
 * aborts
 */
export async function sendOperation(transport: Transport, operation: Operation): Promise<Reply> {
  const call = new Call(transport, operation);
  try {
    return await call.run();
  } catch (error) {
    if (error instanceof ClientError) {
      error.attempts = call.attempts;
      error.outcomeUnknown = call.outcomeUnknown;
      error.batchId = operation.batchId ?? null;
    }
    throw error;
  }
}

/** The service deletes a token some time after it expired, and then calls it invalid. */
const ENDED_TOKEN: ReadonlySet<ProblemCode> = new Set<ProblemCode>(["expired_token", "invalid_token"]);

/** Anything shorter is not a secret, and removing it would damage the text around it. */
const SECRET_LENGTH_MIN = 8;

/** One operation with its attempts. */
class Call {
  attempts = 0;
  /** Stays true, because an earlier attempt may still arrive after a later one was refused. */
  outcomeUnknown = false;
  #token: string | null = null;
  #hasRenewed = false;
  #endsAt = 0;
  readonly #transport: Transport;
  readonly #operation: Operation;
  readonly #repeat: Repeat;
  /** Encoded once, so that every attempt sends the same bytes even if the caller changes its object. */
  readonly #body: string | undefined;

  constructor(transport: Transport, operation: Operation) {
    this.#transport = transport;
    this.#operation = operation;
    this.#repeat = operation.repeat ?? "always";
    this.#body = toJson(operation.body);
  }

  async run(): Promise<Reply> {
    const { signal } = this.#operation;
    await this.#takeToken(null);
    this.#endsAt = performance.now() + this.#transport.totalTimeoutMs;
    for (;;) {
      try {
        return await this.#attempt();
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        if (this.#operation.changes && !isRefused(error, this.#repeat)) this.outcomeUnknown = true;
        if (await this.#hasNewToken(error)) continue;
        const delayMs = this.#delay(error);
        if (delayMs === null) throw error;
        const { method, path } = this.#operation;
        this.#transport.onRetry?.({ attempt: this.attempts, delayMs, error, method, path });
        await sleep(delayMs, signal);
      }
    }
  }

  async #attempt(): Promise<Reply> {
    const { fetch, baseUrl, timeoutMs } = this.#transport;
    const { method, path, query, headers, member, signal } = this.#operation;
    this.attempts++;
    const token = this.#token ?? "";
    const hide = (text: string) =>
      token.length >= SECRET_LENGTH_MIN ? text.replaceAll(token, "[token]") : text;
    const reply = await exchange({
      fetch,
      url: baseUrl + path + toQuery(query),
      method,
      headers: {
        Accept: "application/json",
        ...(this.#body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(this.#token === null ? {} : { Authorization: `Bearer ${this.#token}` }),
        ...headers,
      },
      body: this.#body,
      timeoutMs: Math.max(1, Math.min(timeoutMs, this.#endsAt - performance.now())),
      signal,
      hide,
    });
    return readReply(reply, { member, maybeUnchanged: headers?.["If-None-Match"] !== undefined }, hide);
  }

  #delay(error: ClientError): number | null {
    if (this.attempts > this.#transport.retries + (this.#hasRenewed ? 1 : 0)) return null;
    const delayMs = delayBeforeRetry(error, this.#repeat, this.attempts);
    return delayMs === null || performance.now() + delayMs >= this.#endsAt ? null : delayMs;
  }

  /** A refused token is renewed once per call. The time does not count: a person may have to click. */
  async #hasNewToken(error: ClientError): Promise<boolean> {
    if (!(error instanceof ApiProblem) || !ENDED_TOKEN.has(error.code)) return false;
    const refused = this.#token;
    if (this.#hasRenewed || refused === null || typeof this.#transport.token === "string") return false;
    this.#hasRenewed = true;
    const startedAt = performance.now();
    await this.#takeToken(refused);
    this.#endsAt += performance.now() - startedAt;
    return this.#token !== refused;
  }

  async #takeToken(refused: string | null): Promise<void> {
    const { token } = this.#transport;
    if (token !== null) this.#token = await takeToken(token, refused, this.#operation.signal);
  }
}

function toQuery(query: Operation["query"]): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (typeof value === "object")
      for (const [key, each] of Object.entries(value)) parameters.set(`${name}[${key}]`, each);
    else if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

function toJson(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  try {
    return JSON.stringify(body);
  } catch {
    throw new InvalidArgument("The body cannot be encoded as JSON. Amounts must be strings, not BigInt.");
  }
}
