import { execFileSync } from "node:child_process";
import { CONTRACT, VIEWER } from "./people";

/** Makes the contract, its token and the viewer with the command line, beside the running app. */
export default function setup(): void {
  process.env.E2E_TOKEN = makeContract(CONTRACT, "Journeys");
  ops(["user", "create", "--email", VIEWER.email, "--role", "viewer"], VIEWER.password);
}

/** Makes a contract and a token of it, which it gives. */
export function makeContract(address: string, label: string): string {
  ops(["contract", "create", "--address", address, "--label", label, "--json"]);
  const made = ops(["token", "create", "--contract", address, "--name", "e2e", "--json"]);
  return (JSON.parse(made) as { token: string }).token;
}

function ops(words: string[], input = ""): string {
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR };
  return execFileSync(process.execPath, ["dist/ops.mjs", ...words], { env, input, encoding: "utf8" });
}
