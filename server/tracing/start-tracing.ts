import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { version } from "@/package.json";
import { type TraceRequest, tracing } from "../rest/trace-request";
import { SecretFreeExporter } from "./secret-free-exporter";

const SERVICE_NAME = "point-transfer-batches";

/**
 * Exports traces with OTLP over HTTP. The library reads the standard `OTEL_EXPORTER_OTLP_*`, `OTEL_SERVICE_NAME` and
 * `OTEL_TRACES_SAMPLER` variables itself. Next adds spans for its pages.
 */
export function startTracing(): void {
  // Spans of outgoing calls contain full URLs, including any keys in them.
  process.env.NEXT_OTEL_FETCH_DISABLED = "1";
  const resource = defaultResource().merge(
    resourceFromAttributes({
      "service.name": process.env.OTEL_SERVICE_NAME ?? SERVICE_NAME,
      "service.version": version,
    }),
  );
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new SecretFreeExporter(new OTLPTraceExporter()))],
  });
  provider.register();
  const holder = tracing();
  holder.traceRequest = inSpan;
  holder.stop = () => provider.shutdown();
}

const inSpan: TraceRequest = (traced, work) => {
  const { method, headers } = traced.request;
  const parent = propagation.extract(context.active(), headers, {
    get: (carrier, key) => carrier.get(key) ?? undefined,
    keys: () => ["traceparent", "tracestate"],
  });
  const tracer = trace.getTracer(SERVICE_NAME, version);
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
};
