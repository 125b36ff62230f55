import { single } from "../kernel/single";
import type { RestReply } from "./reply";

/** What of a request a span may tell: nothing that a caller chose freely. */
export interface TracedRequest {
  request: { method: string; headers: { get(name: string): string | null } };
  requestId: string;
  /** The template of the path, known when the answer is. */
  route: string;
}

export type TraceRequest = (traced: TracedRequest, work: () => Promise<RestReply>) => Promise<RestReply>;

/** Set when traces are configured; until then nothing of them is loaded, and a request costs one look. */
export const tracing = () =>
  single("tracing", (): { traceRequest?: TraceRequest; stop?: () => Promise<void> } => ({}));

/** Does the work of a request within a span, when traces are configured. */
export const traceRequest: TraceRequest = (traced, work) => {
  const trace = tracing().traceRequest;
  return trace ? trace(traced, work) : work();
};
