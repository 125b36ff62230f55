import { Tokens } from "@/app/(console)/contracts/contract/tables";
import { titledByContract } from "@/app/(console)/reads";
import type { RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

export const generateMetadata = titledByContract("Access tokens of");

export default async function TokensPage({ params }: RouteProps<"contractAddress">) {
  const key = await params;
  const { keys, read, hydrate } = await prefetcher();
  await read(keys.contracts.tokens.queryKey(key));
  return hydrate(<Tokens />);
}
