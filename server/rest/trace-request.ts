import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { RestReply } from "./reply";

/** The request attributes of a span. None of them can be chosen freely by a caller. */
interface TracedRequest {
  request: { method: string; headers: { get(name: string): string | null } };
  requestId: string;
  /** The path template, known once the request is answered. */
  route: string;
}

const HEADERS = {
  get: (headers: TracedRequest["request"]["headers"], name: string) => headers.get(name) ?? undefined,
  keys: () => ["traceparent", "tracestate"],
};

/** Runs the work of a request in a span of its caller's trace. Does only the work where no traces are sent (`startTracing`). */
export function traceRequest(traced: TracedRequest, work: () => Promise<RestReply>): Promise<RestReply> {
  const { method, headers } = traced.request;
  const parent = propagation.extract(context.active(), headers, HEADERS);
  const tracer = trace.getTracer("point-transfer-batches");
  return tracer.startActiveSpan(method, { kind: SpanKind.SERVER }, parent, async (span) => {
    try {
      const reply = await work();
      span.updateName(`${method} ${traced.route}`);
      span.setAttributes({
        "http.request.method": method,
        "http.route": traced.route,
        "http.response.status_code": reply.status,
        "ptb.request_id": traced.requestId,
      });
      if (reply.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      return reply;
    } finally {
      span.end();
    }
  });
}
