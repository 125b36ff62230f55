import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { createLoader, parseAsString } from "nuqs/server";
import { markOf, STATUS_LOOKS, TYPE_LABELS } from "@/app/(console)/batches/status";
import { paymentPath, recipientPath } from "@/app/(console)/paths";
import { HolderName } from "@/app/(console)/recipients/holder-name";
import type { PageProps } from "@/app/data/page-props";
import { requireStaff } from "@/app/data/prefetcher";
import { Badge } from "@/app/ui/badge";
import { Button, TextLink } from "@/app/ui/button";
import { amountColumn, type DataColumn, DataTable } from "@/app/ui/data-table";
import { IdText } from "@/app/ui/hash-text";
import { Section } from "@/app/ui/section";
import { When } from "@/app/ui/time";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
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
  const note = q ? "the first that match" : "the first of each";
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
      <Section title={q ? "Results" : "Recipients of the last payouts"} note={note}>
        <RecipientTable rows={await (q ? find(q) : readLastPaid())} />
      </Section>
    </div>
  );
}

interface Row {
  address: string;
  label: string | null;
  /** What a payout pays it. */
  paid?: { points: string; batch: ConsoleBatch };
}

async function find(text: string): Promise<Row[]> {
  const { recipients, unknownAddress } = await (await consoleCaller()).console.search.find({ text });
  const address = unknownAddress ?? (recipients.length === 1 ? recipients[0]!.address : null);
  if (address) redirect(recipientPath(address));
  return recipients;
}

/** The first recipients of each of the newest payouts. */
async function readLastPaid(): Promise<Row[]> {
  const { list, transfers } = (await consoleCaller()).console.batches;
  const { batches } = await list({ limit: BATCHES_READ, statuses: ["PENDING", "FINALIZING", "FINALIZED"] });
  const newest = new Map(
    batches.flatMap((batch) => (batch.reverses ? [] : [[batch.payout?.id ?? batch.id, batch] as const])),
  );
  const rows = [...newest.values()].slice(0, PAYOUTS_MAX).map(async (batch): Promise<Row[]> => {
    const paid = await transfers({ contractAddress: batch.contractAddress, batchId: batch.id });
    return paid
      .filter(({ takenBackBy }) => !takenBackBy)
      .slice(0, RECIPIENTS_OF_EACH_MAX)
      .map(({ toAddress: address, label, points }) => ({ address, label, paid: { points, batch } }));
  });
  return (await Promise.all(rows)).flat();
}

function RecipientTable({ rows }: { rows: Row[] }) {
  const columns: DataColumn<Row>[] = [
    { name: "Recipient", render: (row) => <HolderName {...row} form="fit" /> },
    amountColumn("Amount", rows, ({ paid }) => paid?.points),
    { name: "Type", render: ({ paid }) => paid && TYPE_LABELS[paid.batch.pointType] },
    { name: "Payout", render: ({ paid }) => paid && <PayoutLink {...paid.batch} /> },
    { name: "Status", render: ({ paid }) => paid && <Badge {...lookOf(paid.batch)} /> },
    { name: "Submitted", render: ({ paid }) => paid && <When at={paid.batch.createdAt} /> },
  ];
  return (
    <DataTable
      label="Table of recipients"
      empty="No recipients. Search by the start of an address, or a part of a label."
      rows={rows}
      keyOf={({ address, paid }) => `${address} ${paid?.batch.contractAddress} ${paid?.batch.id}`}
      columns={rows.some(({ paid }) => paid) ? columns : columns.slice(0, 1)}
    />
  );
}

const lookOf = (batch: ConsoleBatch) => STATUS_LOOKS[markOf(batch, Date.now()) ?? batch.status];

const PayoutLink = ({ contractAddress, id, payout }: ConsoleBatch) => (
  <span title={payout?.name ?? id} className="mono block max-w-64 md:@max-5xl:max-w-44">
    <TextLink href={paymentPath({ contractAddress, batchId: id, payoutId: payout?.id ?? null })}>
      <IdText value={payout?.name ?? id} />
    </TextLink>
  </span>
);
