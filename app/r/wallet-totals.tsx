import { POINT_TYPES } from "@/server/kernel/values/point-types";
import type { Wallet } from "@/server/receipts/wallet-schema";
import { TYPE_LABELS } from "../(console)/batches/status";
import { Amount } from "../ui/amount";

export function WalletTotals({ points }: Pick<Wallet, "points">) {
  return (
    <div className="grid gap-3 @2xl:grid-cols-2">
      {POINT_TYPES.map((type) => {
        const { received, expected, takenBack } = points[type];
        return (
          <section
            key={type}
            aria-label={`${TYPE_LABELS[type]} totals`}
            className="flex min-w-0 flex-col gap-2 rounded-card border border-line bg-surface p-4"
          >
            <h2 className="font-medium">{TYPE_LABELS[type]}</h2>
            <p className="flex flex-wrap items-baseline gap-x-2 font-semibold text-figure">
              <Amount value={received} className="whitespace-normal! break-all" />
              <span className="font-normal text-body text-muted">received</span>
            </p>
            <Line amount={expected} words="expected" none="Nothing expected" />
            {takenBack !== "0" && <Line amount={takenBack} words="of it taken back" />}
          </section>
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
