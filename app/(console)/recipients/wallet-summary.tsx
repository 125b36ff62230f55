"use client";
import { useQueryState } from "nuqs";
import type { FormEvent } from "react";
import { PointsCards } from "@/app/(console)/batches/points-cards";
import { fieldError, type ShownProblem } from "@/app/data/problem";
import { Button } from "@/app/ui/button";
import { CopyButton } from "@/app/ui/copy-button";
import { TextField, textOf } from "@/app/ui/fields";
import { formatInstant, instantAt } from "@/app/ui/format-time";
import { useTimeZone } from "@/app/ui/time";
import type { HoldingAt } from "@/server/recipients/read-holding";
import { type DescribedWallet, describeHolding, describeWallet } from "./wallet-words";

interface WalletSummaryProps {
  wallet: DescribedWallet;
  /** The time in the URL, as it is there. */
  at: string | null;
  /** What the wallet held then, once it is read. */
  holding: HoldingAt | null | undefined;
  /** Why it could not be read. */
  problem: ShownProblem | null;
}

/** What a wallet has, in figures and in words, now and at an earlier time. */
export function WalletSummary({ wallet, at, holding, problem }: WalletSummaryProps) {
  const { zone } = useTimeZone();
  const { address, points } = wallet;
  // The address is at the top of the page, but not of where the words are copied to.
  const words = (what: string, said: string) => (
    <p className="wrap-anywhere max-w-3xl text-body">
      {said.replace(`the wallet ${address}`, "it")}{" "}
      <CopyButton value={said} what={what} className="align-middle" />
    </p>
  );
  return (
    <section aria-label="Summary" className="flex flex-col gap-3">
      <PointsCards heading="h2" what="totals" amountOf={(type) => points[type].balance} />
      <div className="card flex flex-col gap-3 p-4">
        {words("summary", describeWallet(wallet, zone))}
        <HoldingForm key={`${at} ${zone}`} at={at} problem={problem} />
        {holding && words("holding", describeHolding({ ...wallet, ...holding }, zone))}
      </div>
    </section>
  );
}

/** Only a link that was written by hand has no time at all. */
const errorOf = (problem: ShownProblem | null) =>
  problem?.errors?.some(({ code }) => code === "invalid_timestamp")
    ? "The time in the link cannot be read. Choose a date and a time."
    : (fieldError(problem, "at") ?? problem?.detail);

function HoldingForm({ at, problem }: Pick<WalletSummaryProps, "at" | "problem">) {
  const { zone } = useTimeZone();
  // A wallet's page is drawn on the server.
  const [, setAt] = useQueryState("at", { history: "push", shallow: false });
  const atMs = Date.parse(at ?? "");
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const local = textOf(new FormData(event.currentTarget), "at");
    void setAt(local ? new Date(instantAt(local, zone)).toISOString() : null);
  };
  return (
    <form onSubmit={show} className="flex flex-wrap items-start gap-2 print:hidden">
      <TextField
        label="What it had at an earlier time"
        hint="To share it, copy the link of the page."
        error={errorOf(problem)}
        name="at"
        type="datetime-local"
        step={1}
        // Browsers accept years of six digits otherwise.
        max="9999-12-31T23:59:59"
        defaultValue={Number.isNaN(atMs) ? undefined : formatInstant(atMs, zone).replace(" ", "T")}
      />
      <Button type="submit" className="mt-6.5">
        Show
      </Button>
    </form>
  );
}
