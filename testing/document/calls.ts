import type { TokenScope } from "@/server/auth/access-token";
import type { DocumentWorld } from "./world";

export interface Call {
  method: string;
  path: string;
  token: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

export type MakeCall = (world: DocumentWorld) => Call | Promise<Call>;

export interface OperationRow {
  /** What the operation's token must allow; null when anybody may call it. */
  scope: TokenScope | null;
  /** Succeeds, each time it is made. */
  good: MakeCall;
  /** Succeed too, by another way, which the reply may show. */
  alsoGood?: MakeCall[];
  /** Are refused, each with a code or header of its own. */
  refused?: MakeCall[];
  /** What gets a status that this operation gives for a reason of its own. */
  byStatus?: Record<string, MakeCall>;
}

/** A request to something of the world's contract, with its own token. */
export const to =
  (method: string, pathOf: (world: DocumentWorld) => string | Promise<string>, body?: unknown): MakeCall =>
  async (world) => ({
    method,
    path: `/v1/contracts/${world.contract}${await pathOf(world)}`,
    token: world.tokens.own,
    body,
  });

export const asOperator =
  (make: MakeCall): MakeCall =>
  async (world) => ({ ...(await make(world)), token: world.tokens.operator });

/** Bodies that are refused before anything in them counts. */
export const unreadable = (make: MakeCall): MakeCall[] => [
  async (world) => ({ ...(await make(world)), body: "{" }),
  async (world) => ({ ...(await make(world)), headers: { "Content-Encoding": "gzip" } }),
];

export const withBody =
  (make: MakeCall): MakeCall =>
  async (world) => ({ ...(await make(world)), body: { unexpected: true } });
