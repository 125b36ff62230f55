import { ContractFrame } from "@/app/(console)/contracts/contract/contract-frame";
import type { LayoutProps } from "@/app/data/page-props";

export default async function ContractTabsLayout({ params, children }: LayoutProps<"contractAddress">) {
  return <ContractFrame {...(await params)}>{children}</ContractFrame>;
}
