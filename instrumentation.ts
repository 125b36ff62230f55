/** Next calls it once per process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  if (process.env.NODE_ENV === "production") {
    const { sendConsoleToLog } = await import("./server/kernel/log");
    sendConsoleToLog();
  }
  if (!process.env.OTEL_EXPORTER_OTLP_ENDPOINT) return;
  const { startTracing } = await import("./server/host/tracing");
  startTracing();
}
