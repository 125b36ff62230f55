// A row starts this as a process of its own: a neighbour that submits one batch after another, and prints how long each took.
import { randomUUID } from "node:crypto";

const { BASE_URL, CONTRACT, TOKEN, SECONDS } = process.env;
const PAUSE_MS = 5;
const body = JSON.stringify({
  pointType: "PHASE2_POINTS",
  secondsToFinalize: 3600,
  transfers: [{ toAddress: "0x00000000000000000000000000000000000b0b01", points: "1" }],
});

const times = [];
const statuses = {};
for (const endsAt = Date.now() + Number(SECONDS) * 1000; Date.now() < endsAt; ) {
  const startedAt = performance.now();
  const reply = await fetch(`${BASE_URL}/v1/contracts/${CONTRACT}/batches/${randomUUID()}`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
    body,
  });
  await reply.arrayBuffer();
  times.push(performance.now() - startedAt);
  statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
process.stdout.write(JSON.stringify({ statuses, count: times.length, p50: at(0.5), p99: at(0.99) }));
