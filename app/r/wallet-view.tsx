import { CircleCheck, Clock, Hourglass, Inbox, Undo2 } from "lucide-react";
import type { ComponentProps } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { receiptPath, walletPath } from "@/app/(console)/paths";
import { WalletSummary } from "@/app/(console)/recipients/wallet-summary";
import { Amount, fractionDigits } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { ButtonLink, DownloadLink } from "@/app/ui/button";
import { type DataColumn, DataTable } from "@/app/ui/data-table";
import { HashText, IdText } from "@/app/ui/hash-text";
import { Section } from "@/app/ui/section";
import { Banner, EmptyState } from "@/app/ui/states";
import { Instant, When } from "@/app/ui/time";
import type { WalletClaim } from "@/server/allocations/get-claim";
import type { Wallet, WalletTransfer } from "@/server/receipts/schema";
import { VerifyReceipt } from "./verify-buttons";
import { WalletClaims } from "./wallet-claims";

const LOOKS = {
  EXPECTED: { label: "Expected", tone: "pending", icon: Clock },
  DELAYED: { label: "Delayed", tone: "cancelled", icon: Hourglass },
  RECEIVED: { label: "Received", tone: "finalized", icon: CircleCheck },
  TAKEN_BACK: { label: "Taken back", tone: "cancelled", icon: Undo2 },
} as const;

function WalletTable({ address, transfers }: { address: string; transfers: WalletTransfer[] }) {
  const fraction = fractionDigits(transfers.map(({ points }) => points));
  const columns: DataColumn<WalletTransfer>[] = [
    {
      name: "State",
      render: (transfer) => (
        <span
          className="flex flex-col items-start gap-0.5 py-0.5 max-md:w-full
            max-md:flex-row max-md:items-baseline max-md:justify-between"
        >
          <Badge {...LOOKS[transfer.state]} />
          {transfer.state === "TAKEN_BACK" && (
            <span className="hint">
              <When at={transfer.at} />
            </span>
          )}
        </span>
      ),
    },
    { name: "Received", render: (transfer) => <Received {...transfer} /> },
    {
      name: "From contract",
      render: ({ contractLabel, contractAddress }) => (
        <span className="flex min-w-0 flex-col max-md:items-end max-md:text-right">
          <span className="wrap-anywhere">{contractLabel}</span>
          <HashText value={contractAddress} what="contract address" className="text-muted" />
        </span>
      ),
    },
    {
      name: "Batch",
      render: ({ batchId }) => (
        <span title={batchId} className="block max-w-32 mono">
          <IdText value={batchId} />
        </span>
      ),
    },
    {
      name: "Amount",
      right: true,
      render: ({ points, pointType, state }) => (
        <span className="whitespace-nowrap">
          <Amount
            value={points}
            fraction={fraction}
            className={
              state === "TAKEN_BACK" ? "text-muted line-through [&_span]:line-through" : "font-medium"
            }
          />{" "}
          <span className="inline-block text-left hint md:w-9">{TYPE_LABELS[pointType]}</span>
        </span>
      ),
    },
    {
      name: "Receipt",
      render: (transfer) =>
        transfer.state === "EXPECTED" || transfer.state === "DELAYED" ? (
          <span className="text-muted">–</span>
        ) : (
          <span className="flex gap-1 print:hidden">
            <VerifyReceipt address={address} transfer={transfer} />
            <DownloadLink
              href={receiptPath(address, transfer)}
              aria-label={`Download the receipt of ${transfer.batchId}`}
              size="small"
            >
              <span className="md:@max-[1100px]:hidden">Download</span>
            </DownloadLink>
          </span>
        ),
    },
  ];
  return (
    <DataTable
      label="Transfers to the wallet"
      columns={columns}
      rows={transfers}
      keyOf={({ contractAddress, batchId }) => `${contractAddress}/${batchId}`}
    />
  );
}

function Received({ creditedAt, at }: WalletTransfer) {
  if (creditedAt !== null) return <When at={creditedAt} />;
  return (
    <span className="whitespace-nowrap text-muted">
      {at === null ? "no date yet" : "due "}
      <When at={at} />
    </span>
  );
}

interface WalletViewProps {
  wallet: Wallet;
  claims: WalletClaim[];
  isFirstPage: boolean;
  /** The earlier time in the URL, and what the wallet held then. */
  earlier: Pick<ComponentProps<typeof WalletSummary>, "at" | "holding" | "problem">;
}

export function WalletView({ wallet, claims, isFirstPage, earlier }: WalletViewProps) {
  const { address, transfers, cursor, listedUntil, readAt } = wallet;
  const isEmpty = transfers.length === 0 && cursor === null && isFirstPage && listedUntil === null;
  return (
    <>
      <div>
        <p className="hint">Wallet</p>
        <h1>
          <HashText value={address} what="address" form="whole" className="font-medium text-body!" />
        </h1>
      </div>
      {listedUntil && (
        <Banner>
          Batches created after <Instant at={listedUntil} /> are not listed yet. Reload in a minute.
        </Banner>
      )}
      {!isEmpty && <WalletSummary wallet={{ ...wallet, at: readAt }} {...earlier} />}
      {claims.length > 0 && <WalletClaims address={address} claims={claims} />}
      {isEmpty ? (
        <EmptyState icon={Inbox} title="No transfers to this wallet">
          There were none at <Instant at={readAt} />. Compare the whole address with yours. A transfer appears
          here once a contract has submitted it.
        </EmptyState>
      ) : (
        <Section
          id="transfers"
          title="Transfers"
          note="Expected ones first, by due time, then the latest received. A receipt proves that a finalized
            batch pays this wallet."
        >
          {transfers.length > 0 ? (
            <WalletTable address={address} transfers={transfers} />
          ) : (
            <p className="text-muted text-table">
              {cursor ? "Nothing on this page. Continue to older transfers." : "No older transfers."}
            </p>
          )}
          <nav aria-label="Pages" className="flex gap-2 print:hidden">
            {!isFirstPage && <ButtonLink href={walletPath(address)}>Newest transfers</ButtonLink>}
            {cursor && (
              <ButtonLink href={`${walletPath(address)}?cursor=${encodeURIComponent(cursor)}`}>
                Older transfers
              </ButtonLink>
            )}
          </nav>
        </Section>
      )}
    </>
  );
}
