import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { createLoader, parseAsString } from "nuqs/server";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { paymentPath, recipientPath } from "@/app/(console)/paths";
import { HolderName } from "@/app/(console)/recipients/holder-name";
import type { PageProps } from "@/app/data/page-props";
import { requireStaff } from "@/app/data/prefetcher";
import { Button, TextLink } from "@/app/ui/button";
import { amountColumn, DataTable } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { When } from "@/app/ui/time";
import { consoleCaller } from "@/server/trpc/caller";
import { SEARCH_CHARS_MAX } from "@/terms/batch-terms";

export const metadata: Metadata = { title: "Recipients" };

const loadParams = createLoader({ q: parseAsString.withDefault("") });

const BATCHES_READ = 50;
const PAYOUTS_MAX = 5;
const RECIPIENTS_OF_EACH_MAX = 5;

export default async function RecipientsPage({ searchParams }: PageProps) {
  await requireStaff();
  const q = (await loadParams(searchParams)).q.trim().slice(0, SEARCH_CHARS_MAX);
  return (
    <div className="@container mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 md:p-6">
      <h1 className="font-semibold text-title">Recipients</h1>
      <form className="flex max-w-[640px] gap-2">
        <input
          type="search"
          name="q"
          aria-label="Address or label of a recipient"
          placeholder="Address or label"
          defaultValue={q}
          autoComplete="off"
          spellCheck={false}
          className="field h-9 min-w-0 flex-1 text-body"
        />
        <Button type="submit" className="h-9!">
          Search
        </Button>
      </form>
      {q ? <Found text={q} /> : <LastPaid />}
    </div>
  );
}

async function Found({ text }: { text: string }) {
  const { recipients, unknownAddress } = await (await consoleCaller()).console.search.find({ text });
  const address = unknownAddress ?? (recipients.length === 1 ? recipients[0]!.address : null);
  if (address) redirect(recipientPath(address));
  return (
    <Section title="Results">
      <DataTable
        label="Recipients found"
        empty="No recipient has this address or label."
        rows={recipients}
        keyOf={(recipient) => recipient.address}
        columns={[{ name: "Recipient", render: (recipient) => <HolderName {...recipient} form="fit" /> }]}
      />
    </Section>
  );
}

/** The first recipients of each of the newest payouts. */
async function LastPaid() {
  const { list, transfers } = (await consoleCaller()).console.batches;
  const { batches } = await list({ limit: BATCHES_READ, statuses: ["PENDING", "FINALIZING", "FINALIZED"] });
  const newest = new Map(
    batches.flatMap((batch) => (batch.reverses ? [] : [[batch.payout?.id ?? batch.id, batch] as const])),
  );
  const rows = await Promise.all(
    [...newest.values()].slice(0, PAYOUTS_MAX).map(async (batch) => {
      const paid = await transfers({ contractAddress: batch.contractAddress, batchId: batch.id });
      return paid.slice(0, RECIPIENTS_OF_EACH_MAX).map((transfer) => ({ ...batch, ...transfer }));
    }),
  );
  const shown = rows.flat();
  return (
    <Section title="Recipients of the last payouts" note="the first of each">
      <DataTable
        label="Recipients of the last payouts"
        empty="Nobody has been paid yet."
        rows={shown}
        keyOf={({ contractAddress, id, position }) => `${contractAddress} ${id} ${position}`}
        columns={[
          {
            name: "Recipient",
            render: ({ toAddress, label }) => <HolderName address={toAddress} label={label} form="fit" />,
          },
          amountColumn("Amount", shown, ({ points }) => points),
          { name: "Type", render: ({ pointType }) => TYPE_LABELS[pointType] },
          {
            name: "Payout",
            render: ({ contractAddress, id, payout }) => (
              <span className="wrap-anywhere">
                <TextLink href={paymentPath({ contractAddress, batchId: id, payoutId: payout?.id ?? null })}>
                  {payout?.name ?? id}
                </TextLink>
              </span>
            ),
          },
          { name: "Submitted", render: ({ createdAt }) => <When at={createdAt} /> },
        ]}
      />
    </Section>
  );
}
