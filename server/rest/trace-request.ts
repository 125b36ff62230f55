import { single } from "@/server/kernel/process";
import type { RestReply } from "./reply";

/** The request attributes of a span. None of them can be chosen freely by a caller. */
export interface TracedRequest {
  request: { method: string; headers: { get(name: string): string | null } };
  requestId: string;
  /** The path template, known once the request is answered. */
  route: string;
}

export type TraceRequest = (traced: TracedRequest, work: () => Promise<RestReply>) => Promise<RestReply>;

/** Set when traces are configured. Otherwise no tracing code is loaded. */
export const tracing = () =>
  single("tracing", (): { traceRequest?: TraceRequest; stop?: () => Promise<void> } => ({}));

/** Runs the work of a request in a span, if traces are configured. */
export const traceRequest: TraceRequest = (traced, work) => {
  const trace = tracing().traceRequest;
  return trace ? trace(traced, work) : work();
};
