import { redirect } from "next/navigation";
import { requestPath } from "@/app/(console)/paths";
import type { RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";
import { NotFound } from "@/app/ui/states";
import { SEARCH_CHARS_MAX } from "@/terms/batch-terms";

/** Where the `instance` of a problem leads. */
export default async function RequestPage({ params }: RouteProps<"requestId">) {
  const text = decodeURIComponent((await params).requestId).slice(0, SEARCH_CHARS_MAX);
  const [request] = (await (await prefetcher()).caller.search.find({ text })).requests;
  if (request) redirect(requestPath(request));
  return (
    <NotFound title="Request not found" href="/contracts" link="View all contracts">
      The log has refused writes of callers with a known token, and one in a hundred of their other requests,
      for 30 days.
    </NotFound>
  );
}
