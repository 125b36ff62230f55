import { Inbox } from "lucide-react";
import { Amount } from "@/app/ui/amount";
import { buttonLook } from "@/app/ui/button-look";
import { EmptyState } from "@/app/ui/empty-state";
import { AtLeast, FigureCard } from "@/app/ui/figure-card";
import { HashText } from "@/app/ui/hash-text";
import { Instant } from "@/app/ui/instant";
import { ZoneName } from "@/app/ui/zone-name";
import { POINT_TYPES } from "@/server/kernel/values/batch-terms";
import type { Wallet } from "@/server/receipts/schema";
import { TYPE_LABELS } from "../(console)/batches/status";
import { Banner } from "../ui/banner";
import { walletPath } from "./paths";
import { WalletTable } from "./wallet-table";

export function WalletView({ wallet, isFirstPage }: { wallet: Wallet; isFirstPage: boolean }) {
  const { address, points, isWhole, transfers, cursor, listedUntil, readAt } = wallet;
  const isEmpty = transfers.length === 0 && cursor === null && isFirstPage && listedUntil === null;
  return (
    <>
      <div>
        <p className="text-label text-muted">Wallet</p>
        <h1>
          <HashText value={address} what="address" form="whole" className="font-medium text-body!" />
        </h1>
        <p className="mt-1 text-label text-muted">
          As of <Instant at={readAt} className="tabular-nums" />. Times are in <ZoneName />.
        </p>
      </div>
      {listedUntil && (
        <Banner>
          Batches created after <Instant at={listedUntil} /> are not listed yet. Reload in a minute.
        </Banner>
      )}
      {isEmpty ? (
        <EmptyState icon={Inbox} title="No transfers to this wallet">
          <p className="text-muted">
            Compare the whole address with yours. A transfer appears here once a contract has submitted it.
          </p>
        </EmptyState>
      ) : (
        <>
          <WalletTotals points={points} isWhole={isWhole} />
          <section aria-labelledby="transfers" className="flex flex-col gap-3">
            <div>
              <h2 id="transfers" className="font-semibold text-body">
                Transfers
              </h2>
              <p className="text-label text-muted">
                Newest first, by time of submission. A receipt proves that a finalized batch pays this wallet.
              </p>
            </div>
            {transfers.length > 0 ? (
              <WalletTable address={address} transfers={transfers} />
            ) : (
              <p className="text-muted text-table">
                {cursor ? "Nothing on this page. Continue to older transfers." : "No older transfers."}
              </p>
            )}
            <nav aria-label="Pages" className="flex gap-2 print:hidden">
              {!isFirstPage && (
                <a href={walletPath(address)} className={buttonLook()}>
                  Newest transfers
                </a>
              )}
              {cursor && (
                <a
                  href={`${walletPath(address)}?cursor=${encodeURIComponent(cursor)}`}
                  className={buttonLook()}
                >
                  Older transfers
                </a>
              )}
            </nav>
          </section>
        </>
      )}
    </>
  );
}

function WalletTotals({ points, isWhole }: Pick<Wallet, "points" | "isWhole">) {
  return (
    <div className="grid gap-3 @2xl:grid-cols-2">
      {POINT_TYPES.map((type) => {
        const { received, expected, delayed, takenBack } = points[type];
        return (
          <FigureCard
            key={type}
            label={`${TYPE_LABELS[type]} totals`}
            title={TYPE_LABELS[type]}
            heading="h2"
            amount={received}
            of="received"
          >
            {!isWhole && <AtLeast />}
            {takenBack !== "0" && <Line amount={takenBack} words="of the received points taken back" />}
            <Line amount={expected} words="expected" none="Nothing expected" />
            {delayed !== "0" && <Line amount={delayed} words="delayed" />}
          </FigureCard>
        );
      })}
    </div>
  );
}

function Line({ amount, words, none }: { amount: string; words: string; none?: string }) {
  if (amount === "0") return <p className="text-muted text-table">{none}</p>;
  return (
    <p className="text-table">
      <Amount value={amount} className="whitespace-normal! break-all font-medium" />{" "}
      <span className="text-muted">{words}</span>
    </p>
  );
}
