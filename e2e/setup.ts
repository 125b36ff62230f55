import { execFileSync } from "node:child_process";
import { withSql } from "@/testing/citus/make-database";
import { embeddedUrl } from "@/testing/launch-app";
import { quickHash } from "@/testing/sign-in";
import { ADMIN, CONTRACT, ENDER, VIEWER } from "./people";

/** Creates the shared contract, its token and the viewer with the command line, while the app is running. */
export default async function setup(): Promise<void> {
  process.env.E2E_TOKEN = createContract(CONTRACT, "Journeys");
  for (const person of [VIEWER, ENDER])
    ops(["user", "create", "--email", person.email, "--role", "viewer"], person.password);
  // Checking a password would take half a second each time. Everyone has the same one.
  const hash = quickHash(ADMIN.password);
  await withSql(
    embeddedUrl(process.env.E2E_DATA_DIR!),
    (sql) => sql`update staff set password_hash = ${hash}`,
  );
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
