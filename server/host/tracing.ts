import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { version } from "@/package.json";
import { log } from "@/server/kernel/log";
import { lifecycle } from "@/server/kernel/process";

/** The only ones to export: Next's others contain full URLs, and its events error messages. */
const ATTRIBUTES = new Set([
  "http.request.method",
  "http.response.status_code",
  "http.method",
  "http.status_code",
  "http.route",
  "next.route",
  "next.rsc",
  "next.span_type",
  "operation.name",
  "ptb.request_id",
]);

/** The library reads most `OTEL_*` variables itself, but not those that switch it off or on. */
export function tracesAreOn(): boolean {
  const { env } = process;
  const isOff = env.OTEL_SDK_DISABLED === "true" || env.OTEL_TRACES_EXPORTER === "none";
  return !isOff && Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

/** Logs the first of several failures. The library would log none. */
class Exporter extends OTLPTraceExporter {
  #isFailing = false;

  override export(...[spans, done]: Parameters<OTLPTraceExporter["export"]>): void {
    super.export(spans, (result) => {
      if (result.error && !this.#isFailing)
        log().warn({ reason: result.error.message }, "traces cannot be exported");
      this.#isFailing = result.error !== undefined;
      done(result);
    });
  }
}

/** Sends OTLP over HTTP, as JSON. */
export function startTracing(): void {
  // Spans of outgoing calls contain full URLs, including any keys in them.
  process.env.NEXT_OTEL_FETCH_DISABLED = "1";
  const service = { "service.name": "point-transfer-batches", "service.version": version };
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(service))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new SecretFreeProcessor(new Exporter())],
  });
  provider.register();
  lifecycle().stopTracing = () => provider.shutdown();
}

/** Passes on spans with known attributes only: no events, error messages or query strings. */
class SecretFreeProcessor extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    const known = Object.entries(span.attributes).filter(([name]) => ATTRIBUTES.has(name));
    const shown: Partial<ReadableSpan> = {
      name: shownName(span),
      attributes: Object.fromEntries(known),
      events: [],
      links: [],
      status: { code: span.status.code },
    };
    super.onEnd(Object.create(span, Object.getOwnPropertyDescriptors(shown)) as ReadableSpan);
  }
}

/** Next names the span of an unknown page by its requested path. */
function shownName({ name, attributes }: ReadableSpan): string {
  const route = attributes["http.route"] ?? attributes["next.route"];
  if (typeof route === "string" && name.includes(route)) return name;
  return name.replace(/\s+\S*[/?].*$/s, "");
}
