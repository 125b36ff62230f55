import type { ConsoleContractDetail } from "@/server/contracts/console-schema";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { parseSum } from "@/server/kernel/values/points";
import type { AccountBalances } from "@/server/ledger/accounts";
import { Amount, fractionDigits } from "../../../ui/amount";
import { FigureCard } from "../../../ui/figure-card";
import { Section } from "../../batches/batch/section";
import { TYPE_LABELS } from "../../batches/status";

const PARTS = [
  { key: "earnedCumulative", name: "Issued", hint: "Issued or granted to the contract" },
  {
    key: "receivedCumulative",
    name: "Received",
    hint: "Received from finalized batches, and taken back by its own reversals",
  },
  {
    key: "finalizedSentCumulative",
    name: "Sent",
    hint: "Sent by its finalized batches, and taken back from it by other contracts",
  },
  {
    key: "pendingSent",
    name: "Pending",
    hint: "Reserved for its pending batches, and for pending reversals of other contracts",
  },
  { key: "available", name: "Available", hint: "Can be sent without issuing more" },
] as const satisfies readonly { key: keyof AccountBalances; name: string; hint: string }[];

export function Balances({ contract: { balances, issuance } }: { contract: ConsoleContractDetail }) {
  return (
    <Section title="Balances" note="Available = issued + received − sent − pending">
      <div className="grid gap-3 @2xl:grid-cols-2">
        {POINT_TYPES.map((type) => (
          <TypeCard key={type} type={type} balances={balances[type]} lead={LEADS[issuance]} />
        ))}
      </div>
    </Section>
  );
}

/** Points are issued to an ON_DEMAND contract when it submits, so it usually has none available. */
const LEADS = {
  PREFUNDED: { key: "available", of: "available" },
  ON_DEMAND: { key: "earnedCumulative", of: "issued" },
} as const satisfies Record<ConsoleContractDetail["issuance"], { key: keyof AccountBalances; of: string }>;

interface TypeCardProps {
  type: PointType;
  balances: AccountBalances;
  lead: (typeof LEADS)[keyof typeof LEADS];
}

function TypeCard({ type, balances, lead }: TypeCardProps) {
  const fraction = fractionDigits(PARTS.map(({ key }) => balances[key]));
  const name = TYPE_LABELS[type];
  return (
    <FigureCard label={`${name} balances`} title={name} code={type} amount={balances[lead.key]} of={lead.of}>
      <dl className="flex flex-col text-table">
        {PARTS.filter(({ key }) => key !== lead.key).map(({ key, name: part, hint }) => (
          <div key={key} className="flex items-baseline justify-between gap-4 border-line border-t py-1.5">
            <dt className="text-muted" title={hint}>
              {part}
            </dt>
            <dd className="min-w-0 text-right">
              <Amount
                value={balances[key]}
                fraction={fraction}
                className="whitespace-normal! break-all max-md:[&_span]:min-w-0!"
              />
            </dd>
          </div>
        ))}
      </dl>
      <PendingShare pending={balances.pendingSent} sent={balances.finalizedSentCumulative} />
    </FigureCard>
  );
}

const PARTS_OF_WHOLE = 1000n;
const percent = (parts: bigint) => `${parts / 10n}.${parts % 10n}%`;

/** The bar is decorative: the amounts are listed above it. */
function PendingShare({ pending, sent }: { pending: string; sent: string }) {
  const whole = parseSum(pending) + parseSum(sent);
  if (whole === 0n) return <p className="text-label text-muted">Nothing sent yet</p>;
  const sentParts = (parseSum(sent) * PARTS_OF_WHOLE) / whole;
  return (
    <div className="flex flex-col gap-1.5 text-label">
      <div aria-hidden className="flex h-2 gap-px overflow-hidden rounded-full bg-line">
        <span className="bg-(--plot-2)" style={{ width: percent(sentParts) }} />
        <span className="flex-1 bg-(--plot-1)" />
      </div>
      <div className="flex justify-between text-muted tabular-nums">
        <span>{percent(sentParts)} finalized</span>
        <span>{percent(PARTS_OF_WHOLE - sentParts)} pending</span>
      </div>
    </div>
  );
}
