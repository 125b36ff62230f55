import { type UseMutationOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { defaultWaitSeconds, readWait, WaitField, waitOf } from "@/app/(console)/batches/wait-field";
import { Change, KIND_NAMES } from "@/app/(console)/contracts/contract/approvals";
import { TOKENS_ID, TokenName } from "@/app/(console)/contracts/contract/tables";
import {
  type ContractDialog,
  type ContractDialogProps,
  useContract,
  useContractChange,
} from "@/app/(console)/contracts/contract/use-contract";
import {
  AddressInput,
  AmountInput,
  IssuanceChoice,
  issuanceOf,
  PointTypeChoice,
  pointTypeOf,
} from "@/app/(console)/contracts/contract-fields";
import {
  AddWebhookDialog,
  EndWebhookDialog,
  RotateWebhookDialog,
} from "@/app/(console)/contracts/webhooks/webhook-dialogs";
import { useStaff } from "@/app/(console)/staff";
import type { ShownProblem } from "@/app/data/problem";
import { useChange, useTRPC } from "@/app/data/trpc";
import { formatAmount } from "@/app/ui/amount";
import { CodeBlock } from "@/app/ui/code-block";
import {
  ChangeDialog,
  type ChangeDialogProps,
  MutationDialog,
  ReasonField,
  SecretDialog,
} from "@/app/ui/dialogs";
import { Choices, TextField, textOf } from "@/app/ui/fields";
import { Fact, FactList } from "@/app/ui/section";
import { Instant } from "@/app/ui/time";
import {
  changeNeedsSecondAdmin,
  grantNeedsSecondAdmin,
  waitNeedsSecondAdmin,
} from "@/server/approvals/needs-second-admin";
import type { ContractChange, ProposeChangeInput, ProposedChange } from "@/server/approvals/schema";
import type { ListedToken, TokenScope } from "@/server/auth/tokens";
import { POINT_TYPES } from "@/terms/batch-terms";
import { bareNumber, possibleAmounts } from "@/terms/file/number-format";
import { formatDuration } from "@/terms/output-text";
import { formatPoints, parsePoints } from "@/terms/points";

/** In one chunk, which is loaded with the first dialog. */
export default function ContractDialogs({
  dialog,
  ...props
}: ContractDialogProps & { dialog: ContractDialog }) {
  if (dialog.kind === "decide-change") return <DecideChangeDialog {...props} {...dialog} />;
  if (dialog.kind === "revoke") return <RevokeDialog {...props} token={dialog.token} />;
  if (dialog.kind === "rotate-webhook") return <RotateWebhookDialog {...props} {...dialog} />;
  if (dialog.kind === "end-webhook") return <EndWebhookDialog {...props} {...dialog} />;
  const Plain = PLAIN[dialog.kind];
  return <Plain {...props} />;
}

const PLAIN = {
  rename: RenameDialog,
  issuance: IssuanceDialog,
  operator: OperatorDialog,
  wait: DefaultWaitDialog,
  key: KeyDialog,
  grant: GrantDialog,
  "create-token": CreateTokenDialog,
  "propose-rule": ProposeRuleDialog,
  "add-webhook": AddWebhookDialog,
} as const;

function RenameDialog({ contract, close }: ContractDialogProps) {
  const { contracts, changed } = useContractChange(close);
  return (
    <MutationDialog
      options={contracts.rename.mutationOptions(changed("Contract renamed"))}
      close={close}
      title="Rename contract"
      description="The label is shown in the console only. API requests use the address."
      inputOf={(form) => ({ contractAddress: contract.address, label: textOf(form, "label") })}
    >
      <TextField label="Label" name="label" defaultValue={contract.label} autoFocus />
    </MutationDialog>
  );
}

const REASON_HINT = "Required. Shown in the audit log.";
const PROPOSED = "Change proposed. Another admin must approve it.";

type Unreasoned<T> = T extends unknown ? Omit<T, "reason"> : never;

const useApprovals = () => useQuery(useTRPC().console.approvals.get.queryOptions(useContract().key)).data;

const useRules = () => useApprovals()?.rules ?? [];

interface GuardedDialogProps<Input, Reply, Failure>
  extends Omit<ChangeDialogProps, "change" | "submit" | "onSubmit"> {
  options: UseMutationOptions<Reply, Failure, Input>;
  needsSecond: boolean;
  /** Of the submit button: what happens without and with a second admin. By default the title comes first. */
  submit?: readonly [now: string, proposed: string];
  /** What the form asks for. Undefined while it is incomplete, and shows what is missing. */
  inputOf: (form: FormData) => NoInfer<Input> | undefined;
  proposed: (input: NoInfer<Input>) => Unreasoned<ProposeChangeInput>;
}

/** Makes a change, or proposes it with a reason while an approval rule is in force. */
function GuardedDialog<Input, Reply, Failure>(props: GuardedDialogProps<Input, Reply, Failure>) {
  const { options, needsSecond, inputOf, proposed, children, ...dialog } = props;
  const { submit = [dialog.title, "Propose change"] } = dialog;
  const { approvals, changed } = useContractChange(dialog.close);
  const change = useMutation(options);
  const propose = useMutation(approvals.propose.mutationOptions(changed(PROPOSED)));
  const isOnlyAdmin = useApprovals()?.otherAdmins === 0;
  const send = (form: FormData) => {
    // What was refused before is not about the form as it is now.
    change.reset();
    propose.reset();
    const input = inputOf(form);
    if (input === undefined) return;
    if (needsSecond) propose.mutate({ ...proposed(input), reason: textOf(form, "reason") });
    else change.mutate(input);
  };
  return (
    <ChangeDialog
      {...dialog}
      change={needsSecond ? propose : change}
      submit={submit[needsSecond ? 1 : 0]}
      onSubmit={send}
    >
      {children}
      {needsSecond && (
        <>
          <p className="rounded-control border border-line bg-ground px-3 py-2 text-table">
            Needs a second admin’s approval, because this contract has an approval rule. Nothing changes until
            then.
            {isOnlyAdmin && " You are the only admin. Invite another one under Team first."}
          </p>
          <ReasonField hint={REASON_HINT} />
        </>
      )}
    </ChangeDialog>
  );
}

/** Reads the amount as people write numbers, asks if it can mean two, and repeats it before it is granted. */
function GrantDialog({ contract, close }: ContractDialogProps) {
  const contractAddress = contract.address;
  const { contracts, changed } = useContractChange(close);
  const [typed, setTyped] = useState(() => new FormData());
  const [asked, setAsked] = useState<FormData>();
  const [repeated, setRepeated] = useState("");
  const pointType = pointTypeOf(typed);
  const amounts = [...possibleAmounts(bareNumber(textOf(typed, "points")) ?? "")];
  const readings = amounts.map((amount) => formatPoints(parsePoints(amount)));
  const chosen = textOf(typed, "reading");
  // Without a reading the amount is empty, which the server refuses.
  const points = (readings.length > 1 ? readings.find((each) => each === chosen) : readings[0]) ?? "";
  const isUnanswered = readings.length > 1 && points === "";
  const granted = { contractAddress, pointType, points };
  const words = points && `${formatAmount(points)} ${TYPE_LABELS[pointType]}`;
  const isRepeated = words !== "" && words === repeated;
  const needsSecond = grantNeedsSecondAdmin(useRules(), granted);
  // Without a reply the outcome is unknown, and a retry could grant twice. Only one proposal can be open.
  const isUnsure = ({ code = "outcome_unknown" }: ShownProblem) =>
    !needsSecond && (code === "outcome_unknown" || code === "internal_error");
  const available = POINT_TYPES.map(
    (type) => `${formatAmount(contract.balances[type].available)} ${TYPE_LABELS[type]}`,
  );
  const send = () => {
    if (isUnanswered) setAsked(typed);
    else if (needsSecond || words === "" || isRepeated) return granted;
    else setRepeated(words);
  };
  return (
    <GuardedDialog
      options={contracts.grant.mutationOptions(changed("Points granted"))}
      close={close}
      needsSecond={needsSecond}
      detailOf={(problem) =>
        isUnsure(problem)
          ? `${problem.detail} The grant may have gone through: check the list of grants.`
          : problem.detail
      }
      title="Grant points"
      description={
        `${contract.label} can send the points ` +
        `${needsSecond ? "once the grant is approved" : "immediately"}. ` +
        `Available now: ${available.join(" and ")}.`
      }
      submit={[isRepeated ? `Grant ${words}` : "Continue", "Propose grant"]}
      inputOf={send}
      proposed={(grant) => ({ kind: "GRANT", ...grant })}
    >
      <div
        className="contents"
        onChange={({ currentTarget }) => setTyped(new FormData(currentTarget.closest("form")!))}
      >
        <PointTypeChoice />
        <AmountInput label="Amount" hint="Such as 1000 or 0.5." name="points" autoFocus />
        {readings.length > 1 && (
          <Choices
            legend="This can be read in two ways. Which amount is it?"
            name="reading"
            error={
              asked === typed
                ? "The amount can be read in two ways. Choose the one that you mean."
                : undefined
            }
            inline
            options={readings.map((value) => ({
              value,
              label: value,
              hint: value.includes(".") ? "With decimals" : "A whole number",
            }))}
            chosen={[]}
          />
        )}
      </div>
      <p role="status" className="min-h-5 font-medium text-table">
        {words &&
          `${words} for ${contract.label}${needsSecond ? ", once approved" : ""}. A grant cannot be undone.`}
      </p>
    </GuardedDialog>
  );
}

function IssuanceDialog({ contract, close }: ContractDialogProps) {
  const { contracts, changed } = useContractChange(close);
  return (
    <GuardedDialog
      options={contracts.setIssuance.mutationOptions(changed("Issuance changed"))}
      close={close}
      needsSecond={changeNeedsSecondAdmin(useRules())}
      title="Change issuance"
      description="Applies to batches submitted from now on. Balances and pending batches do not change."
      inputOf={(form) => ({ contractAddress: contract.address, issuance: issuanceOf(form) })}
      proposed={(change) => ({ kind: "ISSUANCE", ...change })}
    >
      <IssuanceChoice chosen={contract.issuance} />
    </GuardedDialog>
  );
}

function OperatorDialog({ contract, close }: ContractDialogProps) {
  const { contracts, changed } = useContractChange(close);
  return (
    <GuardedDialog
      options={contracts.setOperator.mutationOptions(changed("Operator changed"))}
      close={close}
      needsSecond={changeNeedsSecondAdmin(useRules())}
      title="Change operator"
      description="The operator signs in with this wallet and gets a token that is valid for one hour.
        Changing the operator revokes the tokens of the previous one immediately."
      inputOf={(form) => ({
        contractAddress: contract.address,
        operatorAddress: textOf(form, "operatorAddress") || null,
      })}
      proposed={(change) => ({ kind: "OPERATOR", ...change })}
    >
      <AddressInput
        label="Operator address"
        hint="Leave empty to turn off wallet sign-in."
        name="operatorAddress"
        defaultValue={contract.operatorAddress ?? ""}
        autoFocus
      />
    </GuardedDialog>
  );
}

function DefaultWaitDialog({ contract, close }: ContractDialogProps) {
  const { limits } = useStaff();
  const { address: contractAddress, defaultWaitSeconds: before } = contract;
  const { contracts, changed } = useContractChange(close);
  const [wait, setWait] = useState(() => waitOf(defaultWaitSeconds(before, limits)));
  const { seconds = limits.defaultFinalizeSeconds, error } = readWait(wait, limits);
  return (
    <GuardedDialog
      options={contracts.setDefaultWait.mutationOptions(changed("Default wait changed"))}
      close={close}
      needsSecond={waitNeedsSecondAdmin(useRules(), { before, seconds })}
      title="Change default wait"
      description={
        "How long new batches in the console wait, unless someone chooses another time. API requests " +
        `without secondsToFinalize still wait ${formatDuration(limits.defaultFinalizeSeconds)}.`
      }
      inputOf={() => (error === undefined ? { contractAddress, seconds } : undefined)}
      proposed={(change) => ({ kind: "WAIT", ...change })}
    >
      <WaitField wait={wait} onChange={setWait} />
    </GuardedDialog>
  );
}

const KEY_CHOICES = [
  { value: "optional", label: "Optional", hint: "A POST without one that is sent again pays again." },
  {
    value: "required",
    label: "Required",
    hint: "A POST without one is refused. Programs that submit with PUT are not affected.",
  },
] as const;

function KeyDialog({ contract, close }: ContractDialogProps) {
  const { contracts, changed } = useContractChange(close);
  return (
    <MutationDialog
      options={contracts.setKeyRequired.mutationOptions(changed("Key requirement changed"))}
      close={close}
      title="Change key requirement"
      description="Whether API requests need an Idempotency-Key to submit with POST, and a reversalId to take
        back a batch. Applies to new requests."
      inputOf={(form) => ({ contractAddress: contract.address, required: form.get("key") === "required" })}
    >
      <Choices
        legend="Idempotency key"
        name="key"
        options={KEY_CHOICES}
        chosen={[contract.keyRequired ? "required" : "optional"]}
      />
    </MutationDialog>
  );
}

function ProposeRuleDialog({ contract, close }: ContractDialogProps) {
  const { approvals, changed } = useContractChange(close);
  return (
    <MutationDialog
      options={approvals.propose.mutationOptions(changed(PROPOSED))}
      close={close}
      title="Propose an approval rule"
      description="Once another admin approves it, this rule replaces the current one for the point type. It
        applies to new batches. Grants and changes of issuance and operator then need a second admin too."
      submit="Propose rule"
      inputOf={(form) => ({
        kind: "RULE" as const,
        contractAddress: contract.address,
        pointType: pointTypeOf(form),
        threshold: textOf(form, "threshold") || null,
        dayThreshold: textOf(form, "dayThreshold") || null,
        onUnusual: form.get("onUnusual") !== null,
        reason: textOf(form, "reason"),
      })}
    >
      <PointTypeChoice />
      <AmountInput
        label="Approval threshold"
        hint="Batches of this total or more need approval. Leave empty for no threshold."
        name="threshold"
        autoFocus
      />
      <AmountInput
        label="Daily threshold"
        hint="From this sum of a UTC day on, smaller batches need approval too. Leave empty for none."
        name="dayThreshold"
      />
      <Choices
        legend="Review"
        name="onUnusual"
        kind="checkbox"
        options={[
          {
            value: "yes",
            label: "Also when the review finds something unusual",
            hint: "Every batch then waits for its review, usually a few seconds.",
          },
        ]}
        chosen={[]}
      />
      <ReasonField hint={REASON_HINT} />
    </MutationDialog>
  );
}

const EFFECTS = {
  RULE: "It applies to batches submitted from now on.",
  GRANT: "The contract can send the points immediately. A grant cannot be undone.",
  ISSUANCE: "It applies to batches submitted from now on. Balances and pending batches do not change.",
  OPERATOR: "The tokens of the previous operator are revoked immediately.",
  WAIT: "New batches in the console wait this long, unless someone chooses another time.",
} as const satisfies Record<ContractChange["kind"], string>;

const DECISIONS = {
  approve: { verb: "Approve", done: "Change approved" },
  reject: { verb: "Reject", done: "Change rejected" },
  withdraw: { verb: "Withdraw", done: "Proposal withdrawn" },
} as const;

interface DecideChangeDialogProps extends ContractDialogProps {
  decision: keyof typeof DECISIONS;
  change: ProposedChange;
}

function DecideChangeDialog({ contract, close, decision, change }: DecideChangeDialogProps) {
  const { verb, done } = DECISIONS[decision];
  const { approvals, changed } = useContractChange(close);
  const name = KIND_NAMES[change.kind];
  return (
    <MutationDialog
      options={approvals[decision].mutationOptions(changed(done))}
      close={close}
      title={`${verb} this ${name}?`}
      description={decision === "approve" ? EFFECTS[change.kind] : "Nothing changes."}
      submit={`${verb} ${name}`}
      danger={decision === "reject"}
      inputOf={(form) => ({
        contractAddress: contract.address,
        changeId: change.id,
        reason: textOf(form, "reason"),
      })}
    >
      <Change change={change} />
      <ReasonField hint={REASON_HINT} />
    </MutationDialog>
  );
}

const SCOPES = [
  {
    value: "batches:read",
    label: "Read",
    hint: "List and retrieve batches, and read balances (batches:read).",
  },
  { value: "batches:write", label: "Write", hint: "Submit and cancel batches (batches:write)." },
  {
    value: "batches:reverse",
    label: "Take back",
    hint: "Take back finalized batches (batches:reverse). Only for programs that need it.",
  },
] as const satisfies readonly { value: TokenScope; label: string; hint: string }[];

const EXPIRIES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "No expiration" },
] as const;

function CreateTokenDialog({ contract, close }: ContractDialogProps) {
  const { contracts } = useTRPC().console;
  const refresh = useChange([contracts.tokens.queryFilter()])();
  const { publicUrl } = useStaff();
  return (
    <MutationDialog
      // The token exists only in the dialog that shows it.
      options={contracts.createToken.mutationOptions({ ...refresh, gcTime: 0 })}
      close={close}
      title="Create an access token"
      description={`The token gives access to ${contract.label} only. It is shown once, after you create it.`}
      submit="Create token"
      inputOf={(form) => {
        const expires = textOf(form, "expires");
        return {
          contractAddress: contract.address,
          name: textOf(form, "name"),
          scopes: form.getAll("scopes") as TokenScope[],
          expiresInDays: expires === "never" ? null : Number(expires),
        };
      }}
      result={({ token }, { name, scopes }) => (
        <SecretDialog
          title={`Token ${name} created`}
          description="Copy the token now. You will not be able to see it again: the service stores only its
            hash."
          secret={token}
          what="token"
          close={close}
        >
          {scopes.includes("batches:read") && (
            <div className="flex flex-col gap-1.5">
              <h3 className="font-medium text-label">Try it</h3>
              <CodeBlock
                code={
                  `curl '${publicUrl}/v1/contracts/${contract.address}/point-balances' \\\n` +
                  `  -H 'Authorization: Bearer ${token}'`
                }
                what="command"
                wraps
              />
            </div>
          )}
        </SecretDialog>
      )}
    >
      <TextField
        label="Name"
        hint="Where the token is used. Shown next to the batches it submits or cancels."
        name="name"
        autoFocus
      />
      <Choices
        legend="Scopes"
        name="scopes"
        kind="checkbox"
        options={SCOPES}
        chosen={["batches:read", "batches:write"]}
      />
      <Choices legend="Expiration" name="expires" inline options={EXPIRIES} chosen={["90"]} />
    </MutationDialog>
  );
}

/** Shows enough to distinguish the token from others with the same name. */
function RevokeDialog({ contract, close, token }: ContractDialogProps & { token: ListedToken }) {
  const revoked = useRef(false);
  const { contracts, changed } = useContractChange(() => {
    revoked.current = true;
    close();
  });
  return (
    <MutationDialog
      options={contracts.revokeToken.mutationOptions(changed(`Token ${token.name} revoked`))}
      close={close}
      title="Revoke this token?"
      description="Requests with this token are rejected from now on. This cannot be undone, but you can
        create a new token."
      submit="Revoke token"
      danger
      // The button that opened the dialog disappears with the token.
      finalFocus={() => (revoked.current ? document.querySelector<HTMLElement>(`#${TOKENS_ID} h2`) : null)}
      inputOf={() => ({ contractAddress: contract.address, tokenId: token.id })}
    >
      <FactList>
        <Fact name="Token">
          <TokenName {...token} />
        </Fact>
        <Fact name="Last used">{token.lastUsedAt ? <Instant at={token.lastUsedAt} /> : "Never"}</Fact>
      </FactList>
    </MutationDialog>
  );
}
