/** Next calls it once per process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { PUBLIC_URL, VERCEL } = process.env;
  // Without our host, and elsewhere than on Vercel, next-auth would think that it is at localhost.
  if (PUBLIC_URL && !VERCEL) process.env.NEXTAUTH_URL ??= PUBLIC_URL;
  if (process.env.NODE_ENV === "production") {
    const { sendConsoleToLog } = await import("./server/kernel/log");
    sendConsoleToLog();
  }
  // Loading it takes time and memory that nobody else should pay.
  if (!Object.keys(process.env).some((name) => name.startsWith("OTEL_EXPORTER_OTLP_"))) return;
  const { startTracing, tracesAreOn } = await import("./server/host/tracing");
  if (tracesAreOn()) startTracing();
}
