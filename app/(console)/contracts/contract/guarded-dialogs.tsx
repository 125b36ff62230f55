"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { changeNeedsSecondAdmin, grantNeedsSecondAdmin } from "@/server/approvals/needs-second-admin";
import { POINT_TYPES } from "@/server/kernel/values/batch-terms";
import type { ShownProblem } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { formatAmount } from "../../../ui/amount";
import { textOf } from "../../../ui/field";
import { ChangeDialog } from "../../../ui/form-dialog";
import { TYPE_LABELS } from "../../batches/status";
import { AddressField } from "../address-field";
import { IssuanceChoice, issuanceOf } from "../issuance";
import { type ContractDialogProps, useContractChange } from "./contract-dialog";
import { AmountField, PointTypeChoice, pointTypeOf, ReasonField } from "./fields";

/** The contract's approval rules, and a mutation that proposes what one admin may not change alone. */
export function useProposal(contractAddress: string, close: () => void) {
  const { approvals } = useTRPC().console;
  const { data } = useQuery(approvals.get.queryOptions({ contractAddress }));
  const changed = useContractChange(close);
  const propose = useMutation(
    approvals.propose.mutationOptions(changed("Change proposed. Another admin must approve it.")),
  );
  return { rules: data?.rules ?? [], isOnlyAdmin: data?.otherAdmins === 0, propose };
}

interface SecondAdminProps {
  isOnlyAdmin: boolean;
  error: string | undefined;
}

const SecondAdmin = ({ isOnlyAdmin, error }: SecondAdminProps) => (
  <>
    <p className="rounded-control border border-line bg-ground px-3 py-2 text-table">
      Needs a second admin’s approval, because this contract has an approval rule. Nothing changes until then.
      {isOnlyAdmin && " You are the only admin. Invite another one under Team first."}
    </p>
    <ReasonField error={error} />
  </>
);

const grantOf = (form: FormData) => ({ pointType: pointTypeOf(form), points: textOf(form, "points") });
const typedIn = ({ target }: FormEvent) => grantOf(new FormData((target as HTMLInputElement).form!));

export function GrantDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const grant = useMutation(useTRPC().console.contracts.grant.mutationOptions(changed("Points granted")));
  const { rules, isOnlyAdmin, propose } = useProposal(contract.address, close);
  const [typed, setTyped] = useState<ReturnType<typeof grantOf>>({ pointType: "PHASE2_POINTS", points: "" });
  const needsSecond = grantNeedsSecondAdmin(rules, typed);
  // Without a reply the outcome is unknown, and a retry could grant twice. Only one proposal can be open.
  const isUnsure = ({ status }: ShownProblem) => !needsSecond && (status === undefined || status >= 500);
  const available = POINT_TYPES.map(
    (type) => `${formatAmount(contract.balances[type].available)} ${TYPE_LABELS[type]}`,
  );
  return (
    <ChangeDialog
      change={needsSecond ? propose : grant}
      detailOf={(problem) =>
        isUnsure(problem)
          ? `${problem.detail} The grant may have gone through. Check the list of grants before you try again.`
          : problem.detail
      }
      close={close}
      title="Grant points"
      description={`${contract.label} can send the points ${needsSecond ? "once the grant is approved" : "immediately"}. A grant cannot be undone. Available now: ${available.join(" and ")}.`}
      submit={needsSecond ? "Propose grant" : "Grant points"}
      onSubmit={(form) => {
        const given = { contractAddress: contract.address, ...grantOf(form) };
        if (needsSecond) propose.mutate({ kind: "GRANT", ...given, reason: textOf(form, "reason") });
        else grant.mutate(given);
      }}
    >
      {(errorOf) => (
        <>
          <div className="contents" onChange={(event: FormEvent<HTMLDivElement>) => setTyped(typedIn(event))}>
            <PointTypeChoice />
            <AmountField
              label="Amount"
              hint="A plain decimal number, such as 1000 or 0.5."
              name="points"
              error={errorOf("points")}
            />
          </div>
          {needsSecond && <SecondAdmin isOnlyAdmin={isOnlyAdmin} error={errorOf("reason")} />}
        </>
      )}
    </ChangeDialog>
  );
}

export function IssuanceDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const change = useMutation(
    useTRPC().console.contracts.setIssuance.mutationOptions(changed("Issuance changed")),
  );
  const { rules, isOnlyAdmin, propose } = useProposal(contract.address, close);
  const needsSecond = changeNeedsSecondAdmin(rules);
  return (
    <ChangeDialog
      change={needsSecond ? propose : change}
      close={close}
      title="Change issuance"
      description="Applies to batches submitted from now on. Balances and pending batches do not change."
      submit={needsSecond ? "Propose change" : "Change issuance"}
      onSubmit={(form) => {
        const given = { contractAddress: contract.address, issuance: issuanceOf(form) };
        if (needsSecond) propose.mutate({ kind: "ISSUANCE", ...given, reason: textOf(form, "reason") });
        else change.mutate(given);
      }}
    >
      {(errorOf) => (
        <>
          <IssuanceChoice chosen={contract.issuance} />
          {needsSecond && <SecondAdmin isOnlyAdmin={isOnlyAdmin} error={errorOf("reason")} />}
        </>
      )}
    </ChangeDialog>
  );
}

export function OperatorDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const change = useMutation(
    useTRPC().console.contracts.setOperator.mutationOptions(changed("Operator changed")),
  );
  const { rules, isOnlyAdmin, propose } = useProposal(contract.address, close);
  const needsSecond = changeNeedsSecondAdmin(rules);
  return (
    <ChangeDialog
      change={needsSecond ? propose : change}
      close={close}
      title="Change operator"
      description="The operator signs in with this wallet and gets a token that is valid for one hour. Changing the operator revokes the tokens of the previous one immediately."
      submit={needsSecond ? "Propose change" : "Change operator"}
      onSubmit={(form) => {
        const given = {
          contractAddress: contract.address,
          operatorAddress: textOf(form, "operator") || null,
        };
        if (needsSecond) propose.mutate({ kind: "OPERATOR", ...given, reason: textOf(form, "reason") });
        else change.mutate(given);
      }}
    >
      {(errorOf) => (
        <>
          <AddressField
            label="Operator address"
            hint="Leave empty to turn off wallet sign-in."
            error={errorOf("operatorAddress")}
            name="operator"
            defaultValue={contract.operatorAddress ?? ""}
            autoFocus
          />
          {needsSecond && <SecondAdmin isOnlyAdmin={isOnlyAdmin} error={errorOf("reason")} />}
        </>
      )}
    </ChangeDialog>
  );
}
