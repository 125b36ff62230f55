import type { ExportResult } from "@opentelemetry/core";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-node";

/** The only attributes to export. Next's other attributes contain full URLs, and its events contain error messages. */
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

/** Exports spans with known attributes only: no events, error messages or query strings. */
export class SecretFreeExporter implements SpanExporter {
  readonly #next: SpanExporter;

  constructor(next: SpanExporter) {
    this.#next = next;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#next.export(spans.map(withoutSecrets), done);
  }

  shutdown(): Promise<void> {
    return this.#next.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#next.forceFlush?.();
  }
}

export function withoutSecrets(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => ATTRIBUTES.has(name)),
  );
  return Object.create(span, {
    name: { value: shownName(span), enumerable: true },
    attributes: { value: attributes, enumerable: true },
    events: { value: [], enumerable: true },
    links: { value: [], enumerable: true },
    status: { value: { code: span.status.code }, enumerable: true },
  }) as ReadableSpan;
}

/** Next names the span of an unknown page by its requested path. */
function shownName({ name, attributes }: ReadableSpan): string {
  const route = attributes["http.route"] ?? attributes["next.route"];
  if (typeof route === "string" && name.includes(route)) return name;
  return name.replace(/\s+\S*[/?].*$/s, "");
}
