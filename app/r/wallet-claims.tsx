import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { claimPath } from "@/app/(console)/paths";
import { Amount } from "@/app/ui/amount";
import { DownloadLink, TextLink } from "@/app/ui/button";
import { DataTable } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { Instant } from "@/app/ui/time";
import type { WalletClaim } from "@/server/allocations/get-claim";
import { PAYERS, readsProof } from "@/terms/claims/payers";
import { VerifyClaim } from "./verify-buttons";

const Paid = ({ at }: { at: string | null }) => (
  <span className="block">
    <TextLink href="#transfers">{at ? "Paid" : "To be paid"}</TextLink> {at && <Instant at={at} />}
  </span>
);

/** How its owner gets it, and what the proof is for. */
function wayOf({ unit, payer, paid }: WalletClaim): string {
  if (unit) return paid ? "It is among the transfers." : "The issuer pays it here. You have nothing to do.";
  const who = payer ? `Who pays it out: ${PAYERS[payer].name}. ` : "";
  const use = readsProof(payer) ? "is for contracts that read OpenZeppelin’s tree" : "only shows the amount";
  return `${who}The issuer says where. The proof ${use}.`;
}

/** What the wallet gets by published allocations. */
export function WalletClaims({ address, claims }: { address: string; claims: WalletClaim[] }) {
  return (
    <Section title="Allocations" note="For what this wallet held.">
      <DataTable
        label="Allocations of the wallet"
        rows={claims}
        keyOf={({ allocationId }) => allocationId}
        columns={[
          {
            name: "Allocation",
            render: ({ name }) => <span className="wrap-anywhere font-medium">{name}</span>,
          },
          { name: "For", render: ({ pointType }) => TYPE_LABELS[pointType] },
          { name: "Published", render: ({ publishedAt }) => <Instant at={publishedAt} /> },
          {
            name: "Amount",
            right: true,
            render: ({ tokens, unit, paid }) => (
              <>
                <Amount value={tokens} className="font-medium" /> {unit ? TYPE_LABELS[unit] : "tokens"}
                {paid && <Paid {...paid} />}
              </>
            ),
          },
          { name: "How you get it", render: (claim) => <span className="hint">{wayOf(claim)}</span> },
          {
            name: "Proof",
            render: (claim) => (
              <span className="flex gap-1 print:hidden">
                <VerifyClaim address={address} claim={claim} />
                <DownloadLink
                  href={claimPath(address, claim.allocationId)}
                  download={`claim-${claim.allocationId}.json`}
                  aria-label={`Download the proof of ${claim.name}`}
                  size="small"
                >
                  Download
                </DownloadLink>
              </span>
            ),
          },
        ]}
      />
    </Section>
  );
}
