import { CalendarX } from "lucide-react";
import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { loadMonth } from "@/app/(console)/contracts/contract-params";
import { ReportError } from "@/app/(console)/contracts/refresh";
import { StatementView } from "@/app/(console)/contracts/statements/statement-view";
import { statementPath } from "@/app/(console)/paths";
import { nameOfContract } from "@/app/(console)/reads";
import type { PageProps } from "@/app/data/page-props";
import { requireStaff } from "@/app/data/prefetcher";
import { ButtonLink } from "@/app/ui/button";
import { EmptyState } from "@/app/ui/states";
import { invalid, toDomainError } from "@/server/kernel/to-domain-error";
import { consoleCaller } from "@/server/trpc/caller";
import { ADDRESS_PATTERN, monthOf } from "@/terms/batch-terms";
import type { ProblemCode } from "@/terms/problems";

type Props = PageProps<"contractAddress">;

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const [{ contractAddress }, { month }] = await Promise.all([params, loadMonth(searchParams)]);
  return { title: `Statement ${month ?? ""} of ${await nameOfContract(contractAddress)}` };
}

export default async function StatementsPage({ params, searchParams }: Props) {
  const [{ contractAddress }, given] = await Promise.all([params, searchParams]);
  if (!ADDRESS_PATTERN.test(contractAddress)) notFound();
  const currentMonth = monthOf(new Date().toISOString());
  // So that the link shows the same month later.
  if (given.month === undefined) redirect(statementPath(contractAddress, currentMonth));
  const { month } = await loadMonth(searchParams);
  await requireStaff();
  const { statement, problem } = month
    ? await readStatement(contractAddress, month)
    : { problem: invalid("/month in the link is invalid. Use a month such as 2026-01.") };
  if (statement) return <StatementView statement={statement} />;
  if (problem.code === "validation_failed")
    return (
      <EmptyState icon={CalendarX} heading="h1" title="No statement">
        {problem.message.replace("/month", "The month")}
        <ButtonLink href={statementPath(contractAddress, currentMonth)}>View the current month</ButtonLink>
      </EmptyState>
    );
  return <ReportError heading="h1" title="The statement is not available" detail={problem.message} />;
}

/** What the page explains itself. */
const EXPLAINED: readonly ProblemCode[] = ["query_timeout", "unavailable", "validation_failed"];

async function readStatement(contractAddress: string, month: string) {
  const { statements } = (await consoleCaller()).console;
  try {
    return { statement: await statements.get({ contractAddress, month }) };
  } catch (error) {
    const problem = toDomainError(error);
    // An error about the address: its checksum is wrong.
    const isAddress = problem.options.errors?.some(({ pointer }) => pointer !== "/month");
    if (problem.code === "contract_not_found" || (problem.code === "validation_failed" && isAddress))
      notFound();
    if (!EXPLAINED.includes(problem.code)) throw error;
    return { problem };
  }
}
