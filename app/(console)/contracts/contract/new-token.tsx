"use client";
import type { TokenScope } from "@/server/auth/access-token";
import { Button } from "../../../ui/button";
import { CodeBlock } from "../../../ui/code-block";
import { Dialog } from "../../../ui/dialog";
import { useStaff } from "../../staff";

interface NewTokenProps {
  token: string;
  name: string;
  scopes: readonly TokenScope[];
  contractAddress: string;
  close: () => void;
}

/** The one time a token is shown: neither Escape nor a click beside it closes this. */
export function NewToken({ token, name, scopes, contractAddress, close }: NewTokenProps) {
  const { publicUrl } = useStaff();
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      title={`Copy the token ${name} now`}
      description="Only its fingerprint is stored: it cannot be shown again."
    >
      <div className="mt-4 flex flex-col gap-4">
        <div className="flex flex-col gap-1.5">
          <h3 className="font-medium text-label">Token</h3>
          <CodeBlock code={token} what="token" wraps />
        </div>
        <div className="flex flex-col gap-1.5">
          <h3 className="font-medium text-label">Try it</h3>
          <CodeBlock code={tryIt(publicUrl, contractAddress, token, scopes)} what="command" wraps />
        </div>
        <Button variant="primary" className="self-end" onClick={close}>
          I have kept it
        </Button>
      </div>
    </Dialog>
  );
}

/** A command that changes nothing, with what the token may do. */
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
