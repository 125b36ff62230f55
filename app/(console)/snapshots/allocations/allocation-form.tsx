"use client";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useState } from "react";
import { useLeaveWarning } from "@/app/(console)/batches/new/use-leave-warning";
import { AmountInput } from "@/app/(console)/contracts/contract-fields";
import { allocationPath } from "@/app/(console)/paths";
import { fieldError, problemOf } from "@/app/data/problem";
import { useTRPC, useTRPCClient } from "@/app/data/trpc";
import { Alert } from "@/app/ui/alert";
import { Amount, counted, formatCount } from "@/app/ui/amount";
import { Button, Spinner } from "@/app/ui/button";
import { Choices, FieldErrors, submitOnKeys, TextField } from "@/app/ui/fields";
import { Section } from "@/app/ui/section";
import { EmptyNote } from "@/app/ui/states";
import type { AllocationPreview, AllocationRule } from "@/server/allocations/schema";
import { PAYER_NAMES, PAYERS, type Payer, unitName } from "@/terms/claims/payers";
import { POINTS_DECIMALS } from "@/terms/points";
import { oneOf, ZERO_NOTE } from "./allocation-text";
import { ExcludedField } from "./excluded-field";
import { Figures } from "./figures";
import { type RuleTexts, readRule } from "./read-rule";
import { useAddresses } from "./use-addresses";

const TYPING_MS = 400;
/** Errors of other fields are shown above the preview. */
const FIELDS = ["name", "total", "rate", "decimals", "minimum", "excluded"];
const RULES = [
  { value: "PRO_RATA", label: "Share a total", hint: "In proportion to what they hold. The sum is exact." },
  { value: "FIXED_RATE", label: "Fixed rate", hint: "The same amount for each unit held, rounded down." },
] as const satisfies readonly { value: AllocationRule; label: string; hint: string }[];

const PAYER_OPTIONS = PAYER_NAMES.map((value) => ({ ...PAYERS[value], value, label: PAYERS[value].name }));

interface AllocationFormProps {
  snapshotId: string;
  /** Name of what they hold. */
  held: string;
}

/** Begins with who pays it out, and shows what a rule gives before anything is stored. */
export function AllocationForm({ snapshotId, held }: AllocationFormProps) {
  const { allocations } = useTRPC().console;
  const client = useTRPCClient().console.allocations;
  const router = useRouter();
  const [name, setName] = useState("");
  const [texts, setTexts] = useState<RuleTexts>({
    payer: null,
    rule: "PRO_RATA",
    amount: "",
    decimals: "",
    minimum: "",
  });
  const unit = unitName(texts.payer);
  const excluded = useAddresses();
  const { terms, errors } = readRule(texts);
  const input = terms && excluded.isGood ? { snapshotId, ...terms, excluded: excluded.addresses } : null;
  const preview = useQuery({
    queryKey: ["allocation preview", snapshotId, terms, excluded.id],
    queryFn: async ({ signal }) => {
      // The next key aborts it.
      await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
      signal.throwIfAborted();
      return { of: input!, ...(await client.preview.mutate(input!, { signal })) };
    },
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const request = useMutation(
    allocations.request.mutationOptions({ onSuccess: ({ id }) => router.push(allocationPath(id)) }),
  );
  const isTouched = Boolean(name || texts.amount || texts.minimum || excluded.loaded);
  useLeaveWarning(isTouched && !request.isSuccess, "This allocation has not been made. Leave this page?");

  const change = (next: Partial<RuleTexts>) => {
    setTexts({ ...texts, ...next });
    request.reset();
  };
  const failed = request.error ?? (input && preview.error);
  const problem = failed ? problemOf(failed) : null;
  const isOfFields = problem?.errors?.every(({ pointer }) => FIELDS.includes(pointer.split("/")[1] ?? ""));
  // The worker has the time that a preview has not.
  const isTooLarge = preview.error !== null && problemOf(preview.error).code === "query_timeout";
  const isJudged = isTooLarge || (preview.isSuccess && !preview.isPlaceholderData);
  const canMake = input !== null && name.trim() !== "" && isJudged;
  const make = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (canMake && !request.isPending) request.mutate({ ...input, name: name.trim() });
  };
  const isOfPoints = texts.payer !== null && PAYERS[texts.payer].pointType !== null;
  const amountField = (
    field: "amount" | "decimals" | "minimum",
    label: string,
    hint: string,
    sent: string = field,
  ) => (
    <AmountInput
      label={label}
      hint={hint}
      name={sent}
      error={errors[field]}
      value={texts[field]}
      onChange={(event) => change({ [field]: event.target.value.trim() })}
    />
  );
  return (
    <form onSubmit={make} onKeyDown={submitOnKeys} noValidate className="flex flex-col gap-4">
      <Choices
        legend="Who pays it out?"
        name="payer"
        inline
        options={PAYER_OPTIONS}
        chosen={texts.payer ? [texts.payer] : []}
        // An amount of one unit is none of another.
        onChoose={(chosen) => {
          const payer = chosen as Payer;
          const isSameUnit = texts.payer !== null && unitName(payer) === unit;
          const decimals = String(PAYERS[payer].decimals ?? "");
          change(isSameUnit ? { payer } : { payer, decimals, amount: "", minimum: "" });
        }}
      />
      {texts.payer && (
        <>
          <FieldErrors value={(field) => fieldError(problem, field)}>
            <TextField
              label="Public name"
              hint="Everybody who gets something sees it, such as “Season 1 rewards”."
              name="name"
              value={name}
              onChange={(event) => {
                setName(event.target.value);
                request.reset();
              }}
            />
            <Choices
              legend="Rule"
              name="rule"
              inline
              options={RULES}
              chosen={[texts.rule]}
              // A total that became a rate would give each point a million tokens.
              onChoose={(rule) => change({ rule: rule as AllocationRule, amount: "" })}
            />
            <div className="grid grid-cols-1 gap-4 md:grid-cols-3">
              {texts.rule === "PRO_RATA"
                ? amountField("amount", `Total in ${unit}`, "Such as 1000000 or 2500.5.", "total")
                : amountField("amount", `Rate in ${unit} per ${oneOf(held)}`, "Such as 1 or 0.25.", "rate")}
              {amountField(
                "decimals",
                isOfPoints ? "Decimals" : "Decimals of the token",
                isOfPoints ? `At most ${POINTS_DECIMALS}.` : "As its decimals() says. Most have 18, USDC 6.",
              )}
              {amountField(
                "minimum",
                `Minimum in ${unit} (optional)`,
                "Who would get less gets nothing. By default the least that can be paid.",
              )}
            </div>
            <ExcludedField list={excluded} error={fieldError(problem, "excluded")} />
          </FieldErrors>
          <Section
            title="Preview"
            note={preview.isFetching ? <Spinner label="Computing" /> : "Nothing is stored yet"}
          >
            {problem && !isOfFields && <Alert>{problem.detail}</Alert>}
            {input && preview.data ? (
              // Until the next ones are computed, they are those of the rule before.
              <div aria-busy={preview.isPlaceholderData} className="flex flex-col gap-2 aria-busy:opacity-50">
                <Figures figures={preview.data} of={preview.data.of} />
                {preview.data.leftOut.addresses > 0 && <LeftOut {...preview.data.leftOut} held={held} />}
              </div>
            ) : (
              !problem && (
                <EmptyNote>{input ? "Computing…" : "Complete the form to see who gets what."}</EmptyNote>
              )
            )}
          </Section>
          <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
            <p className="hint">
              {input && !name.trim() ? "Enter its public name." : "It can be deleted until it is published."}
            </p>
            <Button
              type="submit"
              variant="primary"
              size="large"
              disabled={!canMake}
              busy={request.isPending || request.isSuccess}
            >
              Make allocation
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

type LeftOutProps = AllocationPreview["leftOut"] & { held: string };

/** A list for another snapshot would match nobody, which no other figure shows. */
const LeftOut = ({ addresses, holders, points, unknown, hasZero, held }: LeftOutProps) => (
  <p className="wrap-anywhere text-table">
    Of {counted(addresses, "address", "addresses")} left out, {formatCount(holders)}{" "}
    {holders === 1 ? "holds" : "hold"} <Amount value={points} wraps className="font-medium" /> {held}.
    {hasZero && ` ${ZERO_NOTE}`}
    {unknown.length > 0 && (
      <span className="text-overdue">
        {" "}
        Without {held}, so check them: {unknown.join(", ")}
        {addresses - holders > unknown.length &&
          ` and ${formatCount(addresses - holders - unknown.length)} more`}
        .
      </span>
    )}
  </p>
);
