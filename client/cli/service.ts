import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type { RowLimits } from "../../server/batches/file/checked.ts";
import { addressDetail, addressError } from "../../server/kernel/values/address-text.ts";
import { type Client, createClient } from "../src/create-client.ts";
import type { RetryNotice } from "../src/transport.ts";
import { EXIT, Failure, Progress } from "./terminal.ts";

/** What every command that talks to the service accepts. */
export interface ServiceOptions {
  url?: string;
  contract?: string;
  json?: boolean;
}

export const optionsOf = <Options>(command: Command) => command.optsWithGlobals() as Options & ServiceOptions;

/** Adds a `key=value` to those that were given before. */
export function addMetadata(pair: string, others: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([A-Za-z0-9_.-]+)=(.+)$/s.exec(pair) ?? [];
  if (key === undefined || value === undefined || key === "__proto__")
    throw new InvalidArgumentError("It must be a key and a value, such as campaign=summer.");
  if (Object.hasOwn(others, key)) throw new InvalidArgumentError(`The key ${key} is given twice.`);
  return { ...others, [key]: value };
}

export function urlOf({ url }: ServiceOptions): string {
  if (url && /^https?:\/\//.test(url)) return url.replace(/\/+$/, "");
  if (url)
    throw new Failure(EXIT.usage, `The service's address begins with http:// or https://, unlike ${url}.`);
  throw new Failure(EXIT.usage, "Which service? Add --url https://…, or set POINT_BATCHES_URL.");
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
    "No access token. Set POINT_BATCHES_TOKEN, or sign in as the contract's operator with: point-batches login",
  );
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
/** In the descriptions of the OpenAPI document, which have the limits as they are configured. */
const LIMITS = /up to (\d+) transfers of at least ([\d.]+) PHASE2_POINTS or ([\d.]+) PHASE2_GOLD/;

/** @throws Failure */
export async function readLimits(url: string, signal: AbortSignal): Promise<RowLimits> {
  const refuse = (why: string) => new Failure(EXIT.noAnswer, `${why} Nothing was sent. Check --url.`);
  const timeout = AbortSignal.timeout(LIMITS_TIMEOUT_MS);
  const text = await fetch(`${url}/v1/openapi.json`, { signal: AbortSignal.any([signal, timeout]) })
    .then((reply) => reply.text())
    .catch((error: Error) => {
      signal.throwIfAborted();
      const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
      const why = code === "ECONNREFUSED" ? "the connection was refused" : message || code;
      throw refuse(`Cannot reach the service at ${url}: ${timeout.aborted ? "no answer within 15 s" : why}.`);
    });
  const [, transfersMax, points, gold] = LIMITS.exec(text) ?? [];
  if (!transfersMax || !points || !gold) throw refuse(`${url} is not a point transfer batch service.`);
  const minimumPoints = { PHASE2_POINTS: points, PHASE2_GOLD: gold };
  return { ...DEFAULT_LIMITS, transfersMax: Number(transfersMax), minimumPoints };
}
