import { useQuery } from "@tanstack/react-query";
import { Circle, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { contractTabPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { TextLink } from "@/app/ui/button";
import { CodeBlock } from "@/app/ui/code-block";
import type { Setup } from "@/server/contracts/read-contracts";
import { formatDuration } from "@/terms/output-text";

const REFETCH_MS = 10_000;

/** @param contractAddress without it, the first steps of the whole console */
export default function Checklist({ contractAddress }: { contractAddress?: string }) {
  const { data: setup } = useQuery(
    useTRPC().console.contracts.setup.queryOptions(
      { contractAddress },
      { refetchInterval: ({ state }) => state.data !== null && REFETCH_MS },
    ),
  );
  // The page below shows its own errors.
  if (!setup) return null;
  const steps = Object.values(setup);
  return (
    <section aria-labelledby="first-steps" className="card w-full text-left print:hidden">
      <div className="flex items-center gap-3 border-line border-b py-2 pr-2 pl-4">
        <h2 id="first-steps" className="font-semibold text-body">
          First steps
        </h2>
        <p className="hint tabular-nums">
          {steps.filter(Boolean).length} of {steps.length} done
          {!contractAddress && ". They stay under Alerts until all are."}
        </p>
      </div>
      <Steps setup={setup} />
    </section>
  );
}

interface StepProps {
  title: string;
  isDone: boolean;
  /** How to do it; shown until it is done. */
  children: ReactNode;
}

const Step = ({ title, isDone, children }: StepProps) => (
  <li className="flex gap-2.5 py-1.5 text-table">
    {isDone ? (
      <CircleCheck aria-label="Done" size={16} className="mt-0.5 shrink-0 text-finalized" />
    ) : (
      <Circle size={16} className="mt-0.5 shrink-0 text-muted" />
    )}
    <div className="flex min-w-0 flex-1 flex-col gap-1.5">
      <p className={isDone ? "text-muted" : "font-medium"}>{title}</p>
      {!isDone && <div className="flex flex-col gap-1.5 text-muted">{children}</div>}
    </div>
  </li>
);

/** One for each field of the setup. */
function Steps({ setup }: { setup: Setup }) {
  const { role, publicUrl, limits } = useStaff();
  const { minimumFinalizeSeconds: seconds } = limits;
  const address = setup.contractAddress;
  const byAdmin = role === "admin" ? null : " An admin can do this.";
  const at = (path: string, text: string) => <TextLink href={path}>{text}</TextLink>;
  return (
    <ol className="px-4 py-2">
      <Step title="Register a contract" isDone={address !== null}>
        <p>
          A contract is the address that sends points. Register one under {at("/contracts", "Contracts")}.
          {byAdmin}
        </p>
      </Step>
      <Step title="Create an access token" isDone={setup.hasToken}>
        <p>
          The contract’s backend uses it to call the API.{" "}
          {address !== null && (
            <>Create it in {at(contractTabPath(address, "tokens"), "its access tokens")}.</>
          )}
          {byAdmin}
        </p>
      </Step>
      <Step title="Submit the first batch" isDone={setup.hasBatch}>
        {address !== null && (
          <>
            <p>
              Run this with the access token. It was shown only once:{" "}
              {at(contractTabPath(address, "tokens"), "create another")} if nobody has it.
              {role !== "viewer" && <> Or {at("/batches/new", "choose a CSV or Excel file")}.</>} The batch is
              finalized after {formatDuration(seconds)}. The {at("/docs", "API reference")} has the rest.
            </p>
            <CodeBlock
              code={firstBatchCommand(`${publicUrl}/v1/contracts/${address}`, seconds)}
              what="first batch command"
            />
          </>
        )}
      </Step>
      <Step title="Add a webhook" isDone={setup.hasWebhook}>
        <p>
          Your backend is notified when a batch is finalized or cancelled.{" "}
          {address !== null && <>Add one under {at(contractTabPath(address, "webhooks"), "Webhooks")}.</>}
        </p>
      </Step>
      <Step title="Invite your team" isDone={setup.hasTeam}>
        <p>
          Someone else should be able to stop a batch. Invite them under {at("/access", "Team")}.{byAdmin}
        </p>
      </Step>
      <Step title="Send alerts to a chat or by email" isDone={setup.hasAlerts}>
        <p>Problems then reach you while the console is closed: docs/alerts.md says how.</p>
      </Step>
    </ol>
  );
}

/** Submits one transfer. The token is a shell variable, because the service stores only its hash. */
const firstBatchCommand = (contractUrl: string, seconds: number) => `TOKEN=ptb_…
curl -X PUT ${contractUrl}/batches/first-batch \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"pointType":"PHASE2_POINTS","secondsToFinalize":${seconds},\
"transfers":[{"toAddress":"0x000000000000000000000000000000000000dEaD","points":"10.5"}]}'`;
