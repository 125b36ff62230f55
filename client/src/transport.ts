import { type ClientError, InvalidArgument } from "./client-error.ts";
import { RETRIES_DEFAULT } from "./retry-policy.ts";
import type { TokenSource } from "./token.ts";

const TIMEOUT_MS_DEFAULT = 15_000;
const TOTAL_TIMEOUT_MS_DEFAULT = 60_000;

export interface RetryNotice {
  /** Which attempt failed, from 1. */
  attempt: number;
  delayMs: number;
  error: ClientError;
  method: string;
  path: string;
}

export interface TransportOptions {
  /** The service's URL without `/v1`, such as `https://points.example.com`. */
  baseUrl: string;
  /** The `fetch` to use instead of the runtime's own. */
  fetch?: typeof fetch;
  /** The maximum number of retries, 0 for none. When absent, `totalTimeoutMs` alone ends them. */
  retries?: number;
  /** How long one attempt may take, including its whole reply: 15,000 when absent. */
  timeoutMs?: number;
  /** How long a call may take, including all attempts and waits: 60,000 when absent. */
  totalTimeoutMs?: number;
  /** Called before each wait. */
  onRetry?: (notice: RetryNotice) => void;
}

export interface Transport extends Required<Omit<TransportOptions, "onRetry">> {
  token: TokenSource | null;
  onRetry: TransportOptions["onRetry"];
}

/** @throws InvalidArgument */
export function createTransport(options: TransportOptions, token: TokenSource | null): Transport {
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    token,
    // Called as a function at each call: browsers refuse a `fetch` whose `this` is not the window.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    retries: readNumber("retries", options.retries, RETRIES_DEFAULT, 0),
    timeoutMs: readNumber("timeoutMs", options.timeoutMs, TIMEOUT_MS_DEFAULT, 1),
    totalTimeoutMs: readNumber("totalTimeoutMs", options.totalTimeoutMs, TOTAL_TIMEOUT_MS_DEFAULT, 1),
    onRetry: options.onRetry,
  };
}

function readBaseUrl(given: string): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new InvalidArgument("baseUrl is not a URL. Use one like https://points.example.com.");
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new InvalidArgument("baseUrl must be http or https, without a user, query or fragment.");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** @throws InvalidArgument */
export function readNumber(name: string, given: number | undefined, fallback: number, least: number): number {
  const value = given ?? fallback;
  if (!Number.isFinite(value) || value < least || value > 2 ** 31 - 1)
    throw new InvalidArgument(`${name} must be a number from ${least} to ${2 ** 31 - 1}.`);
  return value;
}

/** What every client function needs. */
export interface ClientContext {
  transport: Transport;
  contractAddress: string | undefined;
}

export interface CallOptions {
  /** The contract to act for, if not the client's own. */
  contractAddress?: string;
  /** Aborts the call, which rejects with the signal's reason. A submit that was sent may still arrive. */
  signal?: AbortSignal;
}

/** @throws InvalidArgument */
export function contractOf(ctx: ClientContext, options: CallOptions): string {
  const contractAddress = options.contractAddress ?? ctx.contractAddress;
  if (contractAddress === undefined)
    throw new InvalidArgument("contractAddress is missing. Set it in createClient or in the call.");
  return contractAddress;
}
