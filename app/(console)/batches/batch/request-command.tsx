"use client";
import type { ConsoleBatchDetail, ConsoleTransfer } from "@/server/batches/list/console-schema";
import { CodeBlock } from "../../../ui/code-block";
import { copyAndNotify } from "../../../ui/copy-text";
import { usePageActions } from "../../search/page-actions";
import { useStaff } from "../../staff";
import { Section } from "./section";

const TRANSFERS_SHOWN_MAX = 3;

interface RequestCommandProps {
  batch: ConsoleBatchDetail;
  transfers: readonly ConsoleTransfer[] | undefined;
}

/** The request that creates this batch. It is safe to run: PUT is idempotent. Not for a reversal, whose transfers it would pay. */
export function RequestCommand({ batch, transfers }: RequestCommandProps) {
  const { publicUrl } = useStaff();
  const rows = transfers?.map(({ toAddress, points }) => `    ${JSON.stringify({ toAddress, points })}`);
  const full = rows && !batch.reverses && curlOf(publicUrl, batch, rows);
  usePageActions(full ? { "copy-curl": () => void copyAndNotify(full, "command") } : {});
  if (!full) return null;
  const hidden = rows.length - TRANSFERS_SHOWN_MAX;
  const shown = [...rows.slice(0, TRANSFERS_SHOWN_MAX), `    … ${hidden} more`];
  return (
    <Section
      title="Request as cURL"
      note={hidden > 0 ? `Copies all ${rows.length} transfers` : "Requires an access token for the contract"}
    >
      <CodeBlock
        code={full}
        excerpt={hidden > 0 ? curlOf(publicUrl, batch, shown) : undefined}
        what="command"
      />
    </Section>
  );
}

function curlOf(publicUrl: string, batch: ConsoleBatchDetail, rows: readonly string[]): string {
  return `curl -X PUT '${publicUrl}/v1/contracts/${batch.contractAddress}/batches/${batch.id}' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  --data-binary '{
  "pointType": "${batch.pointType}",
  "secondsToFinalize": ${batch.waitSeconds},
  "transfers": [
${rows.join(",\n")}
  ]
}'`;
}
