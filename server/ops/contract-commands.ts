import { type Command, Option } from "commander";
import { createAccessToken, DEFAULT_SCOPES, type TokenScope } from "@/server/auth/tokens";
import { type Issuance, registerContract, setOperator } from "@/server/contracts/change-contract";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { grantPoints } from "@/server/ledger/issuances";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";
import * as argument from "./command";
import { onDatabase } from "./command";

export function addContractCommands(program: Command): void {
  const contract = program.command("contract").description("contracts that distribute points");
  contract
    .command("operator")
    .description("set the wallet that can sign in for a contract; revokes the previous wallet's tokens")
    .requiredOption("--contract <address>", "the contract", argument.address)
    .addOption(new Option("--operator <address>", "the wallet").argParser(argument.address).conflicts("none"))
    .option("--none", "remove the operator, so that no wallet can sign in")
    .action(onDatabase(changeOperator));
  contract
    .command("create")
    .description("register a contract so that it can submit batches")
    .requiredOption("--address <address>", "the contract's EVM address", argument.address)
    .requiredOption("--label <label>", "the name shown in the console", argument.label)
    .option("--operator <address>", "the wallet that can sign in for it", argument.address)
    .addOption(
      new Option("--issuance <how>", "where its points come from; ON_DEMAND has no limit")
        .choices(["ON_DEMAND", "PREFUNDED"])
        .default("ON_DEMAND"),
    )
    .action(onDatabase(createContract));
  program
    .command("token")
    .description("access tokens for contracts")
    .command("create")
    .description("create an access token; it is shown only once")
    .requiredOption("--contract <address>", "the contract that the token acts for", argument.address)
    .requiredOption("--name <name>", "what the token is for", argument.label)
    .option("--scopes <scopes>", "what the token may do, comma-separated", argument.scopes, [
      ...DEFAULT_SCOPES,
    ])
    .option("--expires <when>", "an ISO 8601 time, or a duration such as 90d", argument.expiry)
    .action(onDatabase(createToken));
  program
    .command("points")
    .description("points for PREFUNDED contracts")
    .command("grant")
    .description("grant points to a contract")
    .requiredOption("--contract <address>", "the contract", argument.address)
    .addOption(new Option("--type <type>", "the point type").choices(POINT_TYPES).makeOptionMandatory())
    .requiredOption("--amount <points>", "how many points, as a decimal string", argument.amount)
    .action(onDatabase(grant));
}

type NewContract = { address: string; label: string; operator?: string | null; issuance: Issuance };

async function createContract(
  ctx: ServiceContext,
  { address, label, operator = null, issuance }: NewContract,
) {
  await registerContract(ctx, { address, label, issuance, operatorAddress: operator });
  const limit = issuance === "ON_DEMAND" ? " It can spend without limit." : "";
  return {
    text: `Registered contract ${address} as “${label}” (${issuance}).${limit}`,
    json: { address, label, issuance },
  };
}

type OperatorOptions = { contract: string; operator?: string | null; none?: true };

async function changeOperator(ctx: ServiceContext, { contract, operator = null, none }: OperatorOptions) {
  if (operator === null && !none) throw invalid("Use either --operator <address> or --none.");
  await setOperator(ctx, { contractAddress: contract, operatorAddress: operator });
  return {
    text: operator
      ? `${operator} can now sign in for ${contract}.`
      : `No wallet can sign in for ${contract} now.`,
    json: { contract, operator },
  };
}

type TokenOptions = { contract: string; name: string; scopes: TokenScope[]; expires?: string | null };

async function createToken(ctx: ServiceContext, { contract, name, scopes, expires = null }: TokenOptions) {
  const wanted = { contractAddress: contract, name, scopes, expiresAt: expires };
  const { token, id } = await createAccessToken(ctx, wanted);
  return {
    text: `${token}\nSave this token now. It is shown only once. ${scopesText(scopes, expires)}`,
    json: { token, id, scopes, expiresAt: expires },
    ifUnwritten: `Revoke the token “${name}” (ID ${id}) on the contract's page, and create another.`,
  };
}

const SCOPE_VERBS = {
  "batches:read": "read",
  "batches:write": "submit",
  "batches:reverse": "take back",
} satisfies Record<TokenScope, string>;

function scopesText(scopes: TokenScope[], expires: string | null): string {
  const verbs = new Intl.ListFormat("en-GB").format(scopes.map((scope) => SCOPE_VERBS[scope]));
  const until = expires ? ` until ${expires}` : "";
  const noun = scopes.length === 1 ? "scope" : "scopes";
  return `It can ${verbs} batches${until} (${noun} ${scopes.join(", ")}).`;
}

type Grant = { contract: string; type: PointType; amount: string };

async function grant(ctx: ServiceContext, { contract, type: pointType, amount: points }: Grant) {
  await grantPoints(ctx, { contractAddress: contract, pointType, points });
  return { text: `Granted ${points} ${pointType} to ${contract}.`, json: { contract, pointType, points } };
}
