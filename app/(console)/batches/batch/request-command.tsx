"use client";
import type { ConsoleBatchDetail, ConsoleTransfer } from "@/server/batches/list/console-schema";
import { CodeBlock } from "../../../ui/code-block";
import { copyAloud } from "../../../ui/copy-text";
import { usePageActions } from "../../search/page-actions";
import { useStaff } from "../../staff";
import { Section } from "./section";

const TRANSFERS_SHOWN_MAX = 3;

interface RequestCommandProps {
  batch: ConsoleBatchDetail;
  transfers: readonly ConsoleTransfer[] | undefined;
}

/** The request that creates this batch. It is safe to run: PUT is idempotent. */
export function RequestCommand({ batch, transfers }: RequestCommandProps) {
  const { publicUrl } = useStaff();
  const full = transfers && curlOf(publicUrl, batch, transfers);
  usePageActions(full ? { "copy-curl": () => void copyAloud(full, "command") } : {});
  if (!full) return null;
  const hidden = transfers.length - TRANSFERS_SHOWN_MAX;
  const excerpt =
    hidden > 0
      ? curlOf(publicUrl, batch, transfers.slice(0, TRANSFERS_SHOWN_MAX)).replace(
          "\n  ]",
          `,\n    … ${hidden} more\n  ]`,
        )
      : undefined;
  return (
    <Section
      title="Request as cURL"
      note={
        hidden > 0 ? `Copies all ${transfers.length} transfers` : "Requires an access token for the contract"
      }
    >
      <CodeBlock code={full} excerpt={excerpt} what="command" />
    </Section>
  );
}

function curlOf(publicUrl: string, batch: ConsoleBatchDetail, transfers: readonly ConsoleTransfer[]): string {
  const rows = transfers.map(({ toAddress, points }) => `    ${JSON.stringify({ toAddress, points })}`);
  const body = [
    "{",
    `  "pointType": "${batch.pointType}",`,
    `  "secondsToFinalize": ${batch.waitSeconds},`,
    '  "transfers": [',
    rows.join(",\n"),
    "  ]",
    "}",
  ].join("\n");
  return [
    `curl -X PUT '${publicUrl}/v1/contracts/${batch.contractAddress}/batches/${batch.id}' \\`,
    '  -H "Authorization: Bearer $TOKEN" \\',
    '  -H "Content-Type: application/json" \\',
    `  --data-binary '${body}'`,
  ].join("\n");
}
