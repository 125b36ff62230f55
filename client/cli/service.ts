import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { addressDetail, addressError } from "../../terms/address-text.ts";
import { byPointType, POINTS_PATTERN, type PointType } from "../../terms/batch-terms.ts";
import type { RowLimits } from "../../terms/file/checked.ts";
import { type Client, createClient } from "../src/create-client.ts";
import { readText } from "../src/exchange.ts";
import type { RetryNotice } from "../src/transport.ts";
import { EXIT, Failure, Progress } from "./terminal.ts";

/** Of what asks once, or page by page. */
export const READ_TIMEOUT_MS = 20_000;

/** What every command that talks to the service accepts. */
export interface ServiceOptions {
  url?: string;
  contract?: string;
  json?: boolean;
}

export const optionsOf = <Options>(command: Command) => command.optsWithGlobals() as Options & ServiceOptions;

/** Reads an argument that matches. */
export const argument =
  <Value>(pattern: RegExp, read: (text: string) => Value, otherwise: string) =>
  (text: string): Value => {
    if (pattern.test(text)) return read(text);
    throw new InvalidArgumentError(otherwise);
  };

export const positive = argument(/^[1-9]\d{0,8}$/, Number, "It must be a positive whole number.");

/** Adds a `key=value` to those that were given before. */
export function addMetadata(pair: string, others: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([A-Za-z0-9_.-]+)=(.+)$/s.exec(pair) ?? [];
  if (key === undefined || value === undefined || key === "__proto__")
    throw new InvalidArgumentError("It must be a key and a value, such as campaign=summer.");
  if (Object.hasOwn(others, key)) throw new InvalidArgumentError(`The key ${key} is given twice.`);
  return { ...others, [key]: value };
}

export function urlOf({ url }: ServiceOptions): string {
  // Without the address in the messages: it may have a password.
  if (url && !isPlainUrl(url))
    throw new Failure(
      EXIT.usage,
      "The service's address, --url or POINT_BATCHES_URL, must begin with http:// or https://, " +
        "and have no user, password, query or fragment.",
    );
  if (url) return url.replace(/\/+$/, "");
  throw new Failure(EXIT.usage, "Which service? Add --url https://…, or set POINT_BATCHES_URL.");
}

function isPlainUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  // Fetch refuses a URL with a password, and puts it into its message.
  return [username, password, search, hash].every((part) => part === "");
}

export function contractOf({ contract }: ServiceOptions): string {
  if (!contract)
    throw new Failure(EXIT.usage, "Which contract? Add --contract 0x…, or set POINT_BATCHES_CONTRACT.");
  const error = addressError(contract);
  if (error) throw new Failure(EXIT.usage, `--contract ${contract} ${addressDetail(contract, error)}.`);
  return contract;
}

/** @throws Failure when there is no token */
export function clientOf(options: ServiceOptions, totalTimeoutMs: number, progress = new Progress()): Client {
  const [baseUrl, contractAddress] = [urlOf(options), contractOf(options)];
  const token = process.env.POINT_BATCHES_TOKEN?.trim() || loginFor(baseUrl, contractAddress);
  const onRetry = ({ delayMs, error }: RetryNotice) =>
    progress.note(`${error.message.replace(/\.?$/, ".")} Retrying in ${(delayMs / 1000).toFixed(1)} s.`);
  if (token) return createClient({ baseUrl, contractAddress, token, totalTimeoutMs, onRetry });
  throw new Failure(
    EXIT.usage,
    "No access token. Set POINT_BATCHES_TOKEN, " +
      "or sign in as the contract's operator with: point-batches login",
  );
}

/** For a command that also works without the service. Null when anything is missing for it. */
export function clientIfAny(options: ServiceOptions, timeoutMs: number, progress: Progress): Client | null {
  try {
    return clientOf(options, timeoutMs, progress);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

interface Login {
  token: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const loginsFile = () =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "point-batches", "logins.json");
const keyOf = (url: string, contract: string) => `${url} ${contract.toLowerCase()}`;

function readLogins(): Record<string, Login> {
  try {
    return JSON.parse(readFileSync(loginsFile(), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Failure(EXIT.usage, `Cannot read ${loginsFile()}. Delete it, and sign in again.`);
  }
}

function loginFor(url: string, contract: string): string | undefined {
  const login = readLogins()[keyOf(url, contract)];
  if (!login || login.expiresAt > Date.now()) return login?.token;
  throw new Failure(EXIT.usage, "The login has expired. Sign in again with: point-batches login");
}

/** Readable by this user only. @returns the path of the file */
export function storeLogin(url: string, contract: string, login: Login): string {
  const file = loginsFile();
  const live = Object.entries(readLogins()).filter(([, { expiresAt }]) => expiresAt > Date.now());
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ ...Object.fromEntries(live), [keyOf(url, contract)]: login }), {
    mode: 0o600,
  });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
  return file;
}

export const DEFAULT_LIMITS: RowLimits = {
  transfersMax: 2_000,
  minimumPoints: { PHASE2_POINTS: "0.01", PHASE2_GOLD: "0.000001" },
  zeroAddressAllowed: false,
};

const LIMITS_TIMEOUT_MS = 15_000;
/** The most that a service can be set to, and so all that another host can make this program do. */
const TRANSFERS_MAX = 10_000;

/** In the OpenAPI document, which has the limits as they are configured. */
type Limits = { maxItems: unknown; minimums?: Record<string, unknown> };

/** @returns null when it is the document of something else */
export function limitsOf(text: string): RowLimits | null {
  let limits: Limits;
  try {
    const { post } = JSON.parse(text).paths["/v1/contracts/{contractAddress}/batches"];
    const { maxItems } = post.requestBody.content["application/json"].schema.properties.transfers;
    limits = { maxItems, minimums: post["x-minimumPoints"] };
  } catch {
    return null;
  }
  const { maxItems, minimums } = limits;
  const isCount = Number.isSafeInteger(maxItems) && Number(maxItems) > 0;
  const minimumOf = (type: PointType) => {
    const found = minimums?.[type];
    return typeof found === "string" && POINTS_PATTERN.test(found)
      ? found
      : DEFAULT_LIMITS.minimumPoints[type];
  };
  return {
    ...DEFAULT_LIMITS,
    transfersMax: isCount ? Math.min(Number(maxItems), TRANSFERS_MAX) : DEFAULT_LIMITS.transfersMax,
    minimumPoints: byPointType(minimumOf),
  };
}

/** @throws Failure */
export async function readLimits(url: string, signal: AbortSignal): Promise<RowLimits> {
  const refuse = (why: string) => new Failure(EXIT.noAnswer, `${why} Nothing was sent. Check --url.`);
  const timeout = AbortSignal.timeout(LIMITS_TIMEOUT_MS);
  const text = await fetch(`${url}/v1/openapi.json`, { signal: AbortSignal.any([signal, timeout]) })
    .then(readText)
    .catch((error: Error) => {
      signal.throwIfAborted();
      const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
      const why = code === "ECONNREFUSED" ? "the connection was refused" : message || code;
      throw refuse(`Cannot reach the service at ${url}: ${timeout.aborted ? "no answer within 15 s" : why}.`);
    });
  const limits = limitsOf(text);
  if (!limits) throw refuse(`${url} is not a point transfer batch service.`);
  return limits;
}
