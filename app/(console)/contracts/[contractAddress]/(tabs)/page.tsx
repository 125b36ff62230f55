import { Forecast, PointsPerDay } from "@/app/(console)/contracts/contract/contract-plots";
import { Overview } from "@/app/(console)/contracts/contract/overview";
import { loadContractParams } from "@/app/(console)/contracts/contract-params";
import { titledByContract } from "@/app/(console)/reads";
import type { PageProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

export const generateMetadata = titledByContract("Contract");

export default async function ContractPage(props: PageProps<"contractAddress">) {
  const key = await props.params;
  const plotted = { ...key, params: await loadContractParams(props.searchParams) };
  const { caller, keys, readPage, hydrate } = await prefetcher();
  const [keyless] = await Promise.all([
    // The page is useful without it.
    caller.contracts.keylessPosts(key).catch(() => null),
    readPage(keys.contracts.issuances.infiniteQueryKey(key)),
  ]);
  const plots = (
    <>
      <Forecast {...plotted} />
      <PointsPerDay {...plotted} />
    </>
  );
  return hydrate(<Overview plots={plots} keyless={keyless} />);
}
