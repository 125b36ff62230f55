import { readFileSync } from "node:fs";
import type { Schema } from "./schema";

export interface DeclaredReply {
  headers: Record<string, { schema: Schema; required?: boolean }>;
  /** Problem examples are named after their codes. */
  content?: Record<string, { schema: Schema; examples?: Record<string, unknown> }>;
}
export interface DocumentOperation {
  id: string;
  method: string;
  path: string;
  replies: Record<string, DeclaredReply>;
}

type Json = Record<string, unknown>;
export const document = JSON.parse(readFileSync("openapi.json", "utf8")) as {
  paths: Record<string, Record<string, Json>>;
  components: Json;
};

/** Every operation of the committed document, with resolved replies and headers. */
export const operations: DocumentOperation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, operation]) => "responses" in operation)
    .map(([method, operation]) => ({
      id: operation.operationId as string,
      method: method.toUpperCase(),
      path,
      replies: Object.fromEntries(
        Object.entries(operation.responses as Json).map(([status, reply]) => [status, repliesOf(reply)]),
      ),
    })),
);

function repliesOf(declared: unknown): DeclaredReply {
  const reply = resolve(declared) as unknown as DeclaredReply;
  const headers = Object.entries(reply.headers ?? {}).map(([name, header]) => [
    name.toLowerCase(),
    resolve(header),
  ]);
  return { ...reply, headers: Object.fromEntries(headers) };
}

function resolve(value: unknown): Json {
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) return value as Json;
  const path = $ref.replace("#/", "").split("/");
  return resolve(path.reduce<unknown>((node, key) => (node as Json)[key], document));
}
