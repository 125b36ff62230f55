import { Download } from "lucide-react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { claimPath } from "@/app/(console)/paths";
import { buttonLook } from "@/app/ui/button-look";
import { amountColumn, DataTable } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { Instant } from "@/app/ui/time";
import type { WalletClaim } from "@/server/allocations/schema";
import { VerifyClaim } from "./verify-buttons";

/** What the wallet gets by published allocations. */
export const WalletClaims = ({ address, claims }: { address: string; claims: WalletClaim[] }) => (
  <Section
    title="Claims"
    note="Tokens for the points that this wallet held. The proof is for the claim contract."
  >
    <DataTable
      label="Claims of the wallet"
      rows={claims}
      keyOf={({ allocationId }) => allocationId}
      columns={[
        {
          name: "Allocation",
          render: ({ name }) => <span className="wrap-anywhere font-medium">{name}</span>,
        },
        { name: "For", render: ({ pointType }) => TYPE_LABELS[pointType] },
        { name: "Published", render: ({ publishedAt }) => <Instant at={publishedAt} /> },
        amountColumn("Tokens", claims, ({ tokens }) => tokens),
        {
          name: "Proof",
          render: (claim) => (
            <span className="flex gap-1 print:hidden">
              <VerifyClaim address={address} claim={claim} />
              <a
                href={claimPath(address, claim.allocationId)}
                download={`claim-${claim.allocationId}.json`}
                aria-label={`Download the proof of ${claim.name}`}
                className={buttonLook({ size: "small" })}
              >
                <Download size={13} />
                Download
              </a>
            </span>
          ),
        },
      ]}
    />
  </Section>
);
