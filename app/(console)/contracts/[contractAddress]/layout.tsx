import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { ADDRESS_PATTERN } from "@/server/kernel/values/batch-terms";
import { readOrNotFound } from "../../read-or-not-found";
import { readContract } from "../read-contract";

interface ContractLayoutProps {
  params: Promise<{ contractAddress: string }>;
  children: ReactNode;
}

export default async function ContractLayout({ params, children }: ContractLayoutProps) {
  const { contractAddress } = await params;
  if (!ADDRESS_PATTERN.test(contractAddress)) notFound();
  await readOrNotFound(readContract(contractAddress), "contract_not_found");
  return children;
}
