import { CalendarX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound, redirect } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { monthOf } from "@/server/kernel/values/months";
import { ADDRESS_PATTERN } from "@/server/kernel/values/patterns";
import type { DomainError } from "@/server/kernel/values/problems";
import { consoleCaller } from "@/server/trpc/caller";
import { buttonLook } from "../../../../ui/button";
import { EmptyState } from "../../../../ui/empty-state";
import { shortenHash } from "../../../../ui/hash-text";
import { requireStaff } from "../../../require-staff";
import { ReportError } from "../../report-error";
import { loadMonth, statementPath } from "../../statements/month-param";
import { StatementView } from "../../statements/statement-view";

interface StatementsPageProps {
  params: Promise<{ contractAddress: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params, searchParams }: StatementsPageProps): Promise<Metadata> {
  const [{ contractAddress }, { month }] = await Promise.all([params, loadMonth(searchParams)]);
  return { title: `Statement ${month ?? ""} of ${shortenHash(contractAddress)}` };
}

export default async function StatementsPage({ params, searchParams }: StatementsPageProps) {
  const [{ contractAddress }, given] = await Promise.all([params, searchParams]);
  if (!ADDRESS_PATTERN.test(contractAddress)) notFound();
  const currentMonth = monthOf(new Date().toISOString());
  // A link must show the same month later.
  if (given.month === undefined) redirect(statementPath(contractAddress, currentMonth));
  const { month } = await loadMonth(searchParams);
  await requireStaff(statementPath(contractAddress, month ?? currentMonth));
  if (!month)
    return <NoStatement contractAddress={contractAddress} why="The month in the link is not like 2026-01." />;
  const result = await readStatement(contractAddress, month);
  return (
    <div className="mx-auto w-full max-w-[960px]">
      <StatementOrProblem {...result} contractAddress={contractAddress} />
    </div>
  );
}

function StatementOrProblem({
  statement,
  problem,
  contractAddress,
}: Awaited<ReturnType<typeof readStatement>> & { contractAddress: string }) {
  if (statement) return <StatementView statement={statement} />;
  if (problem.code === "validation_failed")
    return <NoStatement contractAddress={contractAddress} why={whyOf(problem)} />;
  return <ReportError heading="h1" title="The statement is not available" detail={problem.message} />;
}

async function readStatement(contractAddress: string, month: string) {
  const caller = await consoleCaller();
  try {
    return { problem: null, statement: await caller.console.statements.get({ contractAddress, month }) };
  } catch (error) {
    const problem = toDomainError(error);
    if (problem.code === "contract_not_found") notFound();
    if (problem.code === "query_timeout" || problem.code === "unavailable")
      return { problem, statement: null };
    if (problem.code === "validation_failed") {
      // An address whose check sum is wrong.
      if (problem.options.errors?.some(({ pointer }) => pointer !== "/month")) notFound();
      return { problem, statement: null };
    }
    throw error;
  }
}

/** `/month must not be …` as a sentence of its own. */
const whyOf = ({ message }: DomainError) => message.replace("/month", "The month");

function NoStatement({ contractAddress, why }: { contractAddress: string; why: string }) {
  return (
    <EmptyState icon={CalendarX} heading="h1" title="No statement">
      <p className="text-muted">{why}</p>
      <Link href={statementPath(contractAddress, monthOf(new Date().toISOString()))} className={buttonLook()}>
        View the current month
      </Link>
    </EmptyState>
  );
}
