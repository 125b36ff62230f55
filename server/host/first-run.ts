import { randomBytes, randomUUID } from "node:crypto";
import { TOKEN_SCOPES } from "../auth/access-token";
import { createAccessToken } from "../auth/manage-tokens";
import type { ServiceContext } from "../context";
import { registerContract } from "../contracts/register-contract";
import { database } from "../database";
import { settings } from "../settings";
import { createStaff } from "../staff/create-staff";

/** An address of nobody, for the first curl of a local start. */
const SAMPLE_CONTRACT = "0x00000000000000000000000000000000C0FfEe00";
const SAMPLE_RECIPIENT = "0x000000000000000000000000000000000000dEaD";

/**
 * Makes the first admin when there is no staff, and on a local start (embedded Postgres) a first contract with a token,
 * so that a newcomer can submit at once. Gives the lines to print; secrets are in them this once.
 */
export async function firstRun(options: { embedded: boolean; baseUrl: string }): Promise<string[]> {
  const ctx: ServiceContext = { db: database(), actor: "first-run", requestId: randomUUID() };
  const lines = [`Console   ${options.baseUrl}/`];
  lines.push(...(await firstAdmin(ctx)));
  if (options.embedded) lines.push(...(await firstContract(ctx, options.baseUrl)));
  return lines;
}

async function firstAdmin(ctx: ServiceContext): Promise<string[]> {
  const [known] = await ctx.db.sql`select 1 from staff limit 1`;
  if (known) return [];
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = settings();
  const password = ADMIN_PASSWORD ?? randomBytes(15).toString("base64url");
  await createStaff(ctx, { email: ADMIN_EMAIL, role: "admin", password });
  return [`Sign in   ${ADMIN_EMAIL}  ${ADMIN_PASSWORD ? "(ADMIN_PASSWORD)" : `${password}   (shown once)`}`];
}

async function firstContract(ctx: ServiceContext, baseUrl: string): Promise<string[]> {
  const [known] = await ctx.db.sql`select 1 from contracts limit 1`;
  if (known) return [];
  const address = SAMPLE_CONTRACT.toLowerCase();
  await registerContract(ctx, {
    address,
    label: "First contract",
    operatorAddress: null,
    issuance: "ON_DEMAND",
  });
  const { token } = await createAccessToken(ctx, {
    contractAddress: address,
    name: "first token",
    scopes: [...TOKEN_SCOPES],
    expiresAt: null,
  });
  const wait = settings().MINIMUM_FINALIZE_SECONDS;
  const body = {
    pointType: "PHASE2_POINTS",
    secondsToFinalize: wait,
    transfers: [{ toAddress: SAMPLE_RECIPIENT.toLowerCase(), points: "10.5" }],
  };
  return [
    `Token     ${token}   (shown once, for the contract ${address})`,
    "",
    `Submit a first batch; it is finalized ${wait} s later:`,
    "",
    `  curl -X POST ${baseUrl}/v1/contracts/${address}/batches \\`,
    `    -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify(body)}'`,
    "",
  ];
}
