#!/usr/bin/env bash
# openapi-mcp-generator 4.0.1 from npm, which makes an MCP server for agents from an OpenAPI document, and the
# server that it makes.
# Expected: a parameter is sent as its style says, which for an array is status=a&status=b unless the document
# says otherwise. A call that the API refused is an error to the agent: MCP has `isError` for that.
# Really: no style is read. An array is one value, status=a,b, and a `deepObject` metadata=[object Object].
# A refused call has no `isError`, so that programs that look at it count it as done; only the text says
# "API Error: Status 422". And the text ends after 200 characters of the body, so that of several errors the
# agent sees the first ones.
# What follows: an agent that pays through such a server must look at the text, not only at `isError`.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts openapi-mcp-generator@4.0.1 \
  @modelcontextprotocol/sdk@1.20.2 axios@1.12.2 dotenv@16.6.1 zod@3.25.76 json-schema-to-zod@2.6.1 \
  esbuild@0.25.12 >/dev/null 2>&1
cat >api.json <<'JSON'
{ "openapi": "3.1.0", "info": { "title": "Orders", "version": "1" }, "paths": { "/orders": {
  "get": { "operationId": "listOrders", "responses": { "200": { "description": "ok" } }, "parameters": [
    { "name": "status", "in": "query", "schema": { "type": "array", "items": { "type": "string" } } },
    { "name": "metadata", "in": "query", "style": "deepObject", "explode": true,
      "schema": { "type": "object", "additionalProperties": { "type": "string" } } }] } } } }
JSON
cat >ask.mjs <<'JS'
import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const message = "Too many decimals. ".repeat(4);
const errors = [1, 2, 3].map((line) => ({ path: `transfers[${line}].points`, message }));
const api = createServer((request, response) => {
  console.log(decodeURIComponent(request.url));
  response.writeHead(422, { "Content-Type": "application/json" }).end(JSON.stringify({ errors }));
});
await new Promise((resolve) => api.listen(0, "127.0.0.1", resolve));
const baseUrl = `http://127.0.0.1:${api.address().port}`;
const generate = ["--input", "api.json", "--output", "made", "--base-url", baseUrl, "--force"];
execFileSync("node_modules/.bin/openapi-mcp-generator", generate, { stdio: "ignore" });
const compile = ["made/src/index.ts", "--outfile=made/index.mjs", "--log-level=error"];
execFileSync("node_modules/.bin/esbuild", compile);

const server = spawn("node", ["made/index.mjs"], { stdio: ["pipe", "pipe", "ignore"] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const ask = async (id, method, params) => {
  send({ id, method, params });
  return JSON.parse((await lines.next()).value).result;
};
const clientInfo = { name: "agent", version: "1" };
await ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
send({ method: "notifications/initialized" });
const input = { status: ["paid", "refused"], metadata: { campaign: "summer" } };
const { isError, content } = await ask(2, "tools/call", { name: "listOrders", arguments: input });
const [{ text }] = content;
console.log(`isError ${isError}`);
console.log(text.slice(0, 23), "lines", text.match(/transfers\[\d\]/g).length, "of", errors.length);
process.exit(0);
JS
seen=$(node ask.mjs)
wanted='/orders?status=paid,refused&metadata=[object+Object]
isError undefined
API Error: Status 422 ( lines 2 of 3'
[ "$seen" = "$wanted" ] || { printf 'The calls were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: a generated MCP server sends arrays as one value, and refused calls are no errors"
