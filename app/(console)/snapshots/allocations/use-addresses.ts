import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { GivenFile } from "@/app/(console)/batches/new/prepare/check-worker";
import { Checker } from "@/app/(console)/batches/new/prepare/use-file";
import type { AddressError } from "@/terms/file/read-addresses";

let ids = 0;
const NONE: { addresses: string[]; errors: AddressError[] } = { addresses: [], errors: [] };

/** A list of addresses that the user chose or pasted. The worker of New payout reads it. */
export function useAddresses() {
  const [checker] = useState(() => new Checker());
  const [given, setGiven] = useState<GivenFile | null>(null);
  useEffect(() => () => checker.close(), [checker]);
  const { data, error, isFetching } = useQuery({
    queryKey: ["addresses", given?.id],
    queryFn: () => checker.ask("addresses", given!),
    enabled: given !== null,
    // It needs no network, and reading it again changes nothing.
    networkMode: "always",
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const list = (given && data) || NONE;
  return {
    /** Another one for each list. */
    id: given?.id ?? null,
    loaded: given && { name: given.name, rowCount: data?.rowCount ?? 0, workbook: null },
    ...list,
    refused: given ? error?.message : undefined,
    /** Every line was read and is an address; also without a list. */
    isGood: given === null || (data !== undefined && !isFetching && list.errors.length === 0),
    read: (source: File | string, name: string) => setGiven({ id: ++ids, source, name }),
    clear: () => setGiven(null),
  };
}

export type AddressesUse = ReturnType<typeof useAddresses>;
