// A row loads this into the app (`node --import`). It measures the time from a request's arrival to its answer, and how long
// the process was stalled. Clients on a busy machine see longer times.
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const WRITE_EVERY_MS = 500;

const arrivedAt = new WeakMap();
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
let slowestMs = 0;

subscribe("http.server.request.start", ({ request }) => arrivedAt.set(request, performance.now()));
subscribe("http.server.response.finish", ({ request }) => {
  slowestMs = Math.max(slowestMs, performance.now() - arrivedAt.get(request));
});
const write = () =>
  writeFileSync(process.env.TIME_ANSWERS_TO, JSON.stringify({ slowestMs, stillMs: delay.max / 1e6 }));
write();
setInterval(write, WRITE_EVERY_MS).unref();
