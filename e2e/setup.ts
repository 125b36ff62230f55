import { execFileSync } from "node:child_process";
import { CONTRACT, ENDER, VIEWER } from "./people";

/** Creates the shared contract, its token and the viewer with the command line, while the app is running. */
export default function setup(): void {
  process.env.E2E_TOKEN = createContract(CONTRACT, "Journeys");
  for (const person of [VIEWER, ENDER])
    ops(["user", "create", "--email", person.email, "--role", "viewer"], person.password);
}

/** @returns a token of the new contract */
export function createContract(
  address: string,
  label: string,
  issuance: "ON_DEMAND" | "PREFUNDED" = "ON_DEMAND",
): string {
  ops(["contract", "create", "--address", address, "--label", label, "--issuance", issuance, "--json"]);
  const created = ops(["token", "create", "--contract", address, "--name", "e2e", "--json"]);
  return (JSON.parse(created) as { token: string }).token;
}

function ops(args: string[], input = ""): string {
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR };
  return execFileSync(process.execPath, ["dist/ops.mjs", ...args], { env, input, encoding: "utf8" });
}
