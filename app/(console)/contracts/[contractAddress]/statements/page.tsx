import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { loadMonth } from "@/app/(console)/contracts/contract-params";
import { ReportError } from "@/app/(console)/contracts/refresh";
import { NoStatement, StatementView } from "@/app/(console)/contracts/statements/statement-view";
import { statementPath, statementsPath } from "@/app/(console)/paths";
import { nameOfContract, readOr } from "@/app/(console)/reads";
import type { PageProps } from "@/app/data/page-props";
import { requireStaff } from "@/app/data/prefetcher";
import { inWords } from "@/app/data/problem";
import { invalid } from "@/server/kernel/to-domain-error";
import { consoleCaller } from "@/server/trpc/caller";
import { monthOf } from "@/terms/batch-terms";
import type { ProblemCode } from "@/terms/problems";

type Props = PageProps<"contractAddress">;

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const [{ contractAddress }, { month }] = await Promise.all([params, loadMonth(searchParams)]);
  return { title: `Statement ${month ?? ""} of ${await nameOfContract(contractAddress)}` };
}

export default async function StatementsPage({ params, searchParams }: Props) {
  const [{ contractAddress }, given] = await Promise.all([params, searchParams]);
  // So that the link shows the same month later.
  if (given.month === undefined) redirect(statementPath(contractAddress, monthOf(new Date().toISOString())));
  const { month } = await loadMonth(searchParams);
  await requireStaff();
  const { statements } = (await consoleCaller()).console;
  const { value: statement, refusal } = month
    ? await readOr(statements.get({ contractAddress, month }), EXPLAINED)
    : INVALID_MONTH;
  if (statement) return <StatementView statement={statement} />;
  if (refusal.code === "validation_failed")
    return <NoStatement detail={inWords(refusal.message)} path={statementsPath(contractAddress)} />;
  return <ReportError heading="h1" title="The statement is not available" detail={refusal.message} />;
}

/** What the page explains itself. The layout has found the contract. */
const EXPLAINED: readonly ProblemCode[] = ["query_timeout", "unavailable", "validation_failed"];

const INVALID_MONTH = {
  value: null,
  refusal: invalid("/month in the link is invalid. Use a month such as 2026-01."),
};
