"use client";
import type { TokenScope } from "@/server/auth/access-token";
import { CodeBlock } from "../../../ui/code-block";
import { SecretDialog } from "../../../ui/secret-dialog";
import { useStaff } from "../../staff";

interface NewTokenProps {
  token: string;
  name: string;
  scopes: readonly TokenScope[];
  contractAddress: string;
  close: () => void;
}

export function NewToken({ token, name, scopes, contractAddress, close }: NewTokenProps) {
  const { publicUrl } = useStaff();
  return (
    <SecretDialog
      title={`Token ${name} created`}
      description="Copy the token now. You will not be able to see it again: the service stores only its hash."
      secret={token}
      what="token"
      close={close}
    >
      <div className="flex flex-col gap-1.5">
        <h3 className="font-medium text-label">Try it</h3>
        <CodeBlock code={tryIt(publicUrl, contractAddress, token, scopes)} what="command" wraps />
      </div>
    </SecretDialog>
  );
}

/** A harmless command that the token's scopes allow. */
function tryIt(publicUrl: string, contract: string, token: string, scopes: readonly TokenScope[]): string {
  const base = `${publicUrl}/v1/contracts/${contract}`;
  const authorization = `  -H 'Authorization: Bearer ${token}'`;
  if (scopes.includes("batches:read")) return `curl '${base}/point-balances' \\\n${authorization}`;
  const row = { toAddress: "0x000000000000000000000000000000000000dEaD", points: "1" };
  return [
    `curl '${base}/batches?dryRun=true' \\`,
    `${authorization} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify({ pointType: "PHASE2_POINTS", transfers: [row] })}'`,
  ].join("\n");
}
