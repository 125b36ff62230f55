"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { CheckFilter, FilterRow, TextFilter, TimeChip } from "@/app/(console)/batches/filters/filter-chip";
import { hasFilters } from "@/app/(console)/batches/list-params";
import { useContract } from "@/app/(console)/contracts/contract/use-contract";
import { requestParams, toRequestFilters } from "@/app/(console)/contracts/contract-params";
import { usePages, useTRPC } from "@/app/data/trpc";
import { formatCount } from "@/app/ui/amount";
import { type DataColumn, PagedTable } from "@/app/ui/data-table";
import { HashText } from "@/app/ui/hash-text";
import { Section } from "@/app/ui/section";
import { When } from "@/app/ui/time";
import type { RequestGroup } from "@/server/requests/list-requests";
import { REQUEST_ID_PATTERN } from "@/terms/batch-terms";
import { API_PROBLEM_CODES } from "@/terms/problems";

const CODES = API_PROBLEM_CODES.toSorted().map((value) => ({ value, name: value }));
const KEPT = "Refused writes and one in a hundred other requests, for 30 days, without their bodies";

export function Requests() {
  const { contractAddress } = useContract().key;
  const [params, setParams] = useQueryStates(requestParams, { history: "push" });
  const filtered = hasFilters(params);
  const { requests, contracts } = useTRPC().console;
  const tokens = useQuery(contracts.tokens.queryOptions({ contractAddress })).data ?? [];
  const query = useInfiniteQuery(usePages(requests.list, toRequestFilters(contractAddress, params)));
  const { code, token, request, from, to } = params;
  return (
    <Section title="Requests" note={KEPT}>
      <FilterRow onClear={filtered ? () => void setParams(null) : undefined}>
        <CheckFilter
          closes
          name="Code"
          options={CODES}
          chosen={code === null ? null : [code]}
          className="grid w-[480px] max-w-full grid-cols-2 gap-x-2 max-sm:grid-cols-1"
          onChange={(codes) => void setParams({ code: codes?.at(-1) ?? null })}
        />
        <CheckFilter
          closes
          name="Token"
          options={tokens.map(({ id, name, end }) => ({ value: id, name, note: end && `…${end}` }))}
          chosen={token === null ? null : [token]}
          onChange={(ids) => void setParams({ token: ids?.at(-1) ?? null })}
        />
        <TextFilter
          name="Request"
          label="Request ID"
          value={request}
          shown={request?.slice(0, 8)}
          pattern={REQUEST_ID_PATTERN}
          rule="Enter the full request ID."
          placeholder="6f1e2c9a-…"
          onChange={(next) => void setParams({ request: next })}
        />
        <TimeChip name="Day" from={from} to={to} onChange={(range) => void setParams(range)} />
      </FilterRow>
      <PagedTable
        label="Requests table"
        columns={COLUMNS}
        rows={query.data?.pages.flatMap((page) => page.requests) ?? []}
        keyOf={({ requestId, createdAt, operation }) => `${createdAt} ${requestId} ${operation}`}
        query={query}
        one="row"
        many="rows"
        empty={filtered ? "No requests match these filters." : "No requests yet."}
      />
    </Section>
  );
}

const COLUMNS: readonly DataColumn<RequestGroup>[] = [
  { name: "Last", render: ({ createdAt }) => <When at={createdAt} /> },
  {
    name: "Request",
    render: ({ operation }) => (
      <span className="wrap-anywhere font-mono text-label">
        {operation.replace("/v1/contracts/{contractAddress}", "")}
      </span>
    ),
  },
  { name: "Reply", render: (request) => <Reply {...request} /> },
  {
    name: "Token",
    render: ({ caller }) => <span className="wrap-anywhere">{caller.replace(/^token:/, "")}</span>,
  },
  { name: "Network", render: ({ network }) => <span className="font-mono text-label">{network}</span> },
  { name: "Request ID", render: ({ requestId }) => <HashText value={requestId} what="request ID" /> },
];

function Reply({ count, status, code, errors }: RequestGroup) {
  const summary = `${count > 1 ? `${formatCount(count)} × ` : ""}${status} ${code ?? ""}`;
  if (errors.length === 0) return summary;
  return (
    <details>
      <summary className="cursor-pointer rounded-badge">{summary}</summary>
      <ul className="wrap-anywhere max-w-96 hint">
        {errors.map(({ pointer, code, detail }) => (
          <li key={`${pointer} ${code}`}>
            <code className="font-mono">{pointer}</code> {detail}
          </li>
        ))}
      </ul>
    </details>
  );
}
