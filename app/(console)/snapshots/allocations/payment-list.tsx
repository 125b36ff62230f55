import { Payments } from "@/app/(console)/batches/new/plan/other-payments";
import { ReportError } from "@/app/(console)/contracts/refresh";
import { unlessBusy } from "@/app/(console)/reads";
import { Section } from "@/app/ui/section";
import { EmptyNote } from "@/app/ui/states";
import { consoleCaller } from "@/server/trpc/caller";

/** What pays the holders of an allocation's snapshot, and so who cannot pay them again. */
export async function PaymentList({ allocationId }: { allocationId: string }) {
  const { allocations } = (await consoleCaller()).console;
  const payments = await unlessBusy(allocations.payments({ allocationId }));
  if (!payments)
    return (
      <ReportError title="What was paid is not available" detail="The service is busy. Try again later." />
    );
  return (
    <Section
      title="Payments"
      note="A contract pays each holder of a snapshot once, whichever of its allocations it pays"
    >
      {payments.length > 0 ? (
        <div className="card p-4 text-table">
          <Payments payments={payments} />
        </div>
      ) : (
        <EmptyNote>No holder of this snapshot has been paid yet.</EmptyNote>
      )}
    </Section>
  );
}
