import type { TokenScope } from "@/server/auth/tokens";
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
  /** The scope that the operation needs; null if anyone may call it. */
  scope: TokenScope | null;
  /** Succeeds every time. */
  good: MakeCall;
  /** Also succeed, in another way that may show in the reply. */
  alsoGood?: MakeCall[];
  /** Are refused, each with its own code or header. */
  refused?: MakeCall[];
  /** Calls for statuses that only this operation has a reason for. */
  byStatus?: Record<string, MakeCall>;
}

/** A request to the world's contract with its token. */
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

/** Bodies that are refused before they are read. */
export const unreadable = (make: MakeCall): MakeCall[] => [
  async (world) => ({ ...(await make(world)), body: "{" }),
  async (world) => ({ ...(await make(world)), headers: { "Content-Encoding": "gzip" } }),
];

export const withBody =
  (make: MakeCall): MakeCall =>
  async (world) => ({ ...(await make(world)), body: { unexpected: true } });
