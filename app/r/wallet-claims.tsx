import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { claimPath } from "@/app/(console)/paths";
import { Amount } from "@/app/ui/amount";
import { DownloadLink } from "@/app/ui/button";
import { DataTable } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { Instant } from "@/app/ui/time";
import type { WalletClaim } from "@/server/allocations/get-claim";
import { VerifyClaim } from "./verify-buttons";

const Unit = ({ unit, paid }: WalletClaim) => (
  <>
    {paid && (paid.at ? "Paid in " : "To be paid in ")}
    {unit ? TYPE_LABELS[unit] : "tokens"}
    {paid?.at && " on "}
    {paid?.at && <Instant at={paid.at} />}
  </>
);

const PROOF_NOTE =
  " A proof is for contracts that read OpenZeppelin’s tree. Others need a file of the issuer.";

/** What the wallet gets by published allocations. */
export function WalletClaims({ address, claims }: { address: string; claims: WalletClaim[] }) {
  const hasTokens = claims.some(({ unit }) => unit === null);
  return (
    <Section title="Allocations" note={`For what this wallet held.${hasTokens ? PROOF_NOTE : ""}`}>
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
            // What is paid in points is among the transfers, so its amount is not shown a second time.
            render: (claim) => (
              <>
                {!claim.paid && <Amount value={claim.tokens} className="font-medium" />} <Unit {...claim} />
              </>
            ),
          },
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
