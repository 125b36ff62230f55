import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AllStatements } from "@/app/(console)/contracts/statements/all-statements";
import { ALL_STATEMENTS } from "@/app/(console)/paths";
import type { PageProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";
import { monthOf } from "@/terms/batch-terms";

export const metadata: Metadata = { title: "Statements of all contracts" };

export default async function AllStatementsPage({ searchParams }: PageProps) {
  const { month } = await searchParams;
  // So that the link shows the same month later.
  if (typeof month !== "string") redirect(`${ALL_STATEMENTS}?month=${monthOf(new Date().toISOString())}`);
  const { keys, readPage, hydrate } = await prefetcher();
  await readPage(keys.statements.all.infiniteQueryKey({ month }));
  return hydrate(<AllStatements month={month} />);
}
