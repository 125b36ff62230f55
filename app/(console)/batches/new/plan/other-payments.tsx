"use client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { paymentPath } from "@/app/(console)/paths";
import { useTRPCClient } from "@/app/data/trpc";
import { Alert } from "@/app/ui/alert";
import { Amount, counted } from "@/app/ui/amount";
import { TextLink } from "@/app/ui/button";
import { CheckBox } from "@/app/ui/fields";
import { QueryError } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import type { HolderPayment } from "@/server/allocations/list-payments";
import { HOLDER_REFERENCE_PATTERN } from "@/terms/batch-terms";
import type { Plan } from "./plan";

/** Has to be ticked before anything is submitted: `isTicked`. */
export function Tick({ children }: { children: ReactNode }) {
  const [isMissed, setMissed] = useState(false);
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <CheckBox
        required
        aria-invalid={isMissed}
        aria-describedby={id}
        onInvalid={(event) => {
          setMissed(true);
          event.currentTarget.focus();
        }}
        onChange={() => setMissed(false)}
      >
        {children}
      </CheckBox>
      {isMissed && (
        <p id={id} className="text-danger text-label">
          Confirm this first.
        </p>
      )}
    </div>
  );
}

/** The first one that is not gets the focus. */
export const isTicked = (within: HTMLElement | null) =>
  [...(within?.querySelectorAll("input") ?? [])].every((box) => box.checkValidity());

/** What other contracts pay the holders of the plan's snapshot. The plan's own pays nobody twice. */
export function useOtherPayments(plan: Plan) {
  const { payments } = useTRPCClient().console.allocations;
  return useQuery({
    queryKey: ["other payments", useId()],
    queryFn: async () => {
      const rows = await plan.readRows(0);
      const reference = rows
        .map((row) => row.reference ?? "")
        .find((one) => HOLDER_REFERENCE_PATTERN.test(one));
      const all = reference === undefined ? [] : await payments.query({ reference });
      return all.filter(
        ({ contractAddress, points, takenBack }) =>
          contractAddress !== plan.contractAddress && points !== takenBack,
      );
    },
    gcTime: 0,
  });
}

/** Who has paid the holders of a snapshot, or is to pay them: how much, and when. */
export const Payments = ({ payments }: { payments: readonly HolderPayment[] }) => (
  <ul>
    {payments.map((payment) => (
      <li key={paymentPath(payment)} className="wrap-anywhere">
        {payment.contractLabel}: <Amount value={payment.points} /> {TYPE_LABELS[payment.pointType]}
        {` to ${counted(payment.holders, "holder", "holders")}`}
        {payment.firstDueAt && (
          <>
            , {payment.counts.finalized > 0 ? "paid" : "due"} <Instant at={payment.firstDueAt} />
          </>
        )}
        , in{" "}
        <TextLink href={paymentPath(payment)}>
          {payment.fileName ?? payment.payoutId ?? payment.batchId}
        </TextLink>
        {payment.takenBack !== "0" && (
          <>
            , of which <Amount value={payment.takenBack} /> taken back
          </>
        )}
      </li>
    ))}
  </ul>
);

export function OtherPayments({ query }: { query: UseQueryResult<HolderPayment[]> }) {
  if (query.isError) return <QueryError query={query} />;
  if (!query.data?.length) return null;
  return (
    <>
      <Alert title="Another contract has already paid these holders, or is about to">
        <Payments payments={query.data} />
      </Alert>
      <Tick>Pay these holders a second time</Tick>
    </>
  );
}
