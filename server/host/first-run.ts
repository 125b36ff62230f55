import { randomBytes, randomUUID } from "node:crypto";
import { verifyPassword } from "@/server/auth/passwords";
import { findStaff } from "@/server/auth/sessions";
import { createAccessToken, DEFAULT_SCOPES } from "@/server/auth/tokens";
import { registerContract } from "@/server/contracts/change-contract";
import type { ServiceContext } from "@/server/kernel/context";
import { database } from "@/server/kernel/database";
import { settings } from "@/server/kernel/settings";
import { createStaff } from "@/server/staff/people";
import { DomainError } from "@/terms/problems";
import { StartError } from "./lifecycle";
import { retryUntilUp } from "./prepare-database";

/** An address with no owner, for the first curl of a local start. */
const SAMPLE_CONTRACT = "0x00000000000000000000000000000000c0ffee00";
const SAMPLE_RECIPIENT = "0x000000000000000000000000000000000000dead";

/** Makes an admin, and locally a contract with a token. Returns what to print once. @throws StartError */
export async function firstRun(options: { embedded: boolean; baseUrl: string }): Promise<string[]> {
  const ctx: ServiceContext = { db: database(), actor: "first-run", requestId: randomUUID() };
  const lines = [`Console   ${options.baseUrl}/`];
  lines.push(...(await firstAdmin(ctx)));
  if (options.embedded) lines.push(...(await firstContract(ctx, options.baseUrl)));
  return lines;
}

async function firstAdmin(ctx: ServiceContext): Promise<string[]> {
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = settings();
  const password = ADMIN_PASSWORD ?? randomBytes(15).toString("base64url");
  let mayBeMine = false;
  return retryUntilUp(async () => {
    if (!(await isStaffed(ctx))) {
      mayBeMine = true;
      await createFirst(ctx, ADMIN_EMAIL, password);
    }
    // Another host may have been first, or this one was and lost the reply. The password decides.
    const admin = mayBeMine ? await findStaff(ctx.db, ADMIN_EMAIL) : null;
    if (!admin || !(await verifyPassword(password, admin.passwordHash))) return [];
    return [
      `Sign in   ${ADMIN_EMAIL}  ${ADMIN_PASSWORD ? "(ADMIN_PASSWORD)" : `${password}   (shown once)`}`,
    ];
  });
}

const isStaffed = async (ctx: ServiceContext) => (await ctx.db.sql`select 1 from staff limit 1`).length > 0;

async function createFirst(ctx: ServiceContext, email: string, password: string): Promise<void> {
  try {
    await createStaff(ctx, { email, role: "admin", password });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // Unless another host was first, the password is refused: too long, or easy to guess.
    if (!(await isStaffed(ctx))) throw new StartError(`ADMIN_PASSWORD: ${error.message}`);
  }
}

async function firstContract(ctx: ServiceContext, baseUrl: string): Promise<string[]> {
  const address = SAMPLE_CONTRACT;
  let isOurs = false;
  const token = await retryUntilUp(async () => {
    const [known] = await ctx.db.sql`select 1 from contracts limit 1`;
    if (known && !isOurs) return null;
    isOurs = true;
    if (!known)
      await registerContract(ctx, {
        address,
        label: "First contract",
        operatorAddress: null,
        issuance: "ON_DEMAND",
      });
    return createAccessToken(ctx, {
      contractAddress: address,
      name: "first token",
      scopes: [...DEFAULT_SCOPES],
      expiresAt: null,
    });
  });
  return token ? firstCurl(baseUrl, address, token.token) : [];
}

function firstCurl(baseUrl: string, address: string, token: string): string[] {
  const wait = settings().MINIMUM_FINALIZE_SECONDS;
  const body = {
    pointType: "PHASE2_POINTS",
    secondsToFinalize: wait,
    transfers: [{ toAddress: SAMPLE_RECIPIENT, points: "10.5" }],
  };
  return [
    `Token     ${token}   (shown once, for contract ${address})`,
    "",
    `Submit your first batch. Sent again, it is still one batch. The service finalizes it after ${wait} s:`,
    "",
    `  curl -X PUT ${baseUrl}/v1/contracts/${address}/batches/first-batch \\`,
    `    -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify(body)}'`,
    "",
  ];
}
