"use client";
import type { UseQueryResult } from "@tanstack/react-query";
import { Download, Search } from "lucide-react";
import { useMemo, useState } from "react";
import type { ConsoleBatchDetail, ConsoleTransfer } from "@/server/batches/list/console-schema";
import { parsePoints } from "@/server/kernel/values/points";
import { csvPages } from "../../../data/csv";
import { problemOf } from "../../../data/problem";
import { formatCount } from "../../../ui/amount";
import { Button } from "../../../ui/button";
import { ErrorState } from "../../../ui/error-state";
import { Input } from "../../../ui/field";
import { saveCsv } from "../../../ui/save-csv";
import { Skeleton } from "../../../ui/skeleton";
import { columnsOfBatch } from "../../transfers-csv";
import { Section } from "./section";
import { type TransferSort, TransferTable } from "./transfer-table";

interface TransfersProps {
  batch: ConsoleBatchDetail;
  query: UseQueryResult<ConsoleTransfer[], unknown>;
}

export function Transfers({ batch, query }: TransfersProps) {
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState<TransferSort>({ by: "position", descending: false });
  const wanted = search.trim().toLowerCase();
  const shown = useMemo(
    () =>
      (query.data ?? [])
        .filter(({ toAddress, label }) => `${toAddress} ${label ?? ""}`.toLowerCase().includes(wanted))
        .toSorted(compareTransfers(sort)),
    [query.data, wanted, sort],
  );
  const count = formatCount(batch.transferCount);
  return (
    <Section
      title="Transfers"
      note={wanted && query.data ? `${formatCount(shown.length)} of ${count}` : count}
      actions={
        <>
          <span className="relative">
            <Search aria-hidden size={13} className="absolute top-2 left-2 text-muted" />
            <Input
              type="search"
              aria-label="Search transfers by address or label"
              placeholder="Address or label"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              className="h-7! w-44 pl-7 text-label!"
            />
          </span>
          <Button
            size="small"
            disabled={!query.data}
            onClick={() =>
              void saveCsv(`${batch.id}-transfers.csv`, csvPages(columnsOfBatch(batch), [shown]))
            }
          >
            <Download aria-hidden size={13} className="text-muted" />
            Export CSV
          </Button>
        </>
      }
    >
      {query.isPending && <Skeleton className="h-40 w-full" />}
      {query.isError && !query.data && (
        <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()} />
      )}
      {query.data && (
        <TransferTable
          transfers={shown}
          sort={sort}
          onSort={setSort}
          pointType={batch.pointType}
          minus={Boolean(batch.reverses)}
        />
      )}
    </Section>
  );
}

const COMPARE: Record<TransferSort["by"], (a: ConsoleTransfer, b: ConsoleTransfer) => number> = {
  position: (a, b) => a.position - b.position,
  toAddress: (a, b) => compare(a.toAddress.toLowerCase(), b.toAddress.toLowerCase()),
  points: (a, b) => compare(parsePoints(a.points), parsePoints(b.points)),
};

function compare<Value extends string | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Ties keep the order of the request. */
function compareTransfers({ by, descending }: TransferSort) {
  const sign = descending ? -1 : 1;
  return (a: ConsoleTransfer, b: ConsoleTransfer) => sign * COMPARE[by](a, b) || a.position - b.position;
}
