"use client";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { grantNeedsSecondAdmin } from "@/server/approvals/needs-second-admin";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/point-types";
import { fieldError, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { formatAmount } from "../../../ui/amount";
import { FormDialog } from "../../../ui/form-dialog";
import { TYPE_LABELS } from "../../batches/status";
import { AmountField, PointTypeChoice } from "./amount-field";
import type { ContractDialogProps } from "./dialog-props";
import { reasonOf } from "./reason-field";
import { SecondAdmin } from "./second-admin";
import { useContractChange } from "./use-contract-change";
import { useProposal } from "./use-proposal";

const grantOf = (form: FormData) => ({
  pointType: String(form.get("type")) as PointType,
  points: String(form.get("points") ?? "").trim(),
});

export function GrantDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const grant = useMutation(useTRPC().console.contracts.grant.mutationOptions(changed("Points granted")));
  const { rules, isOnlyAdmin, propose } = useProposal(contract.address, close);
  const [typed, setTyped] = useState<ReturnType<typeof grantOf>>({ pointType: "PHASE2_POINTS", points: "" });
  const needsSecond = grantNeedsSecondAdmin(rules, typed);
  const { error, isPending } = needsSecond ? propose : grant;
  const problem = error && problemOf(error);
  // Without a reply the outcome is unknown, and a retry could grant twice. Only one proposal can be open.
  const unsure = !needsSecond && problem && (problem.status === undefined || problem.status >= 500);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Grant points"
      description={
        <>
          {contract.label} can send them {needsSecond ? "once the grant is approved" : "immediately"}. A grant
          cannot be undone. Available now:{" "}
          {POINT_TYPES.map(
            (type) => `${formatAmount(contract.balances[type].available)} ${TYPE_LABELS[type]}`,
          ).join(" and ")}
          .
        </>
      }
      problem={
        unsure
          ? {
              ...problem,
              detail: `${problem.detail} The grant may have gone through: check the list of grants before you try again.`,
            }
          : problem?.errors
            ? null
            : problem
      }
      busy={isPending}
      submit={needsSecond ? "Propose grant" : "Grant points"}
      onSubmit={(form) => {
        const given = { contractAddress: contract.address, ...grantOf(form) };
        if (needsSecond) propose.mutate({ kind: "GRANT", ...given, reason: reasonOf(form) });
        else grant.mutate(given);
      }}
    >
      <div className="contents" onChange={(event: FormEvent<HTMLDivElement>) => setTyped(typedIn(event))}>
        <PointTypeChoice />
        <AmountField
          label="Amount"
          hint="A plain decimal number, such as 1000 or 0.5."
          name="points"
          error={fieldError(problem, "points")}
        />
      </div>
      {needsSecond && <SecondAdmin isOnlyAdmin={isOnlyAdmin} problem={problem} />}
    </FormDialog>
  );
}

const typedIn = ({ target }: FormEvent) => grantOf(new FormData((target as HTMLInputElement).form!));
