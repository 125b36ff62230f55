import { execFileSync } from "node:child_process";
import { CONTRACT, VIEWER } from "./people";

/** Makes the contract, its token and the viewer with the command line, beside the running app. */
export default function setup(): void {
  ops(["contract", "create", "--address", CONTRACT, "--label", "Journeys", "--json"]);
  const made = ops(["token", "create", "--contract", CONTRACT, "--name", "e2e", "--json"]);
  process.env.E2E_TOKEN = (JSON.parse(made) as { token: string }).token;
  ops(["user", "create", "--email", VIEWER.email, "--role", "viewer"], VIEWER.password);
}

function ops(words: string[], input = ""): string {
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR };
  return execFileSync(process.execPath, ["dist/ops.mjs", ...words], { env, input, encoding: "utf8" });
}
