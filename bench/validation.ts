import { submitBatchInput } from "@/server/batches/submit/submit-schema";
import { batchLimits } from "@/server/kernel/batch-limits";
import type { RestRequest } from "@/server/kernel/http";
import { parseSettings } from "@/server/kernel/settings";
import { readInput } from "@/server/rest/read-input";
import { RouteTable } from "@/server/rest/routes/route-table";
import { createRestRouter } from "@/server/trpc/root";
import { addressNumbered } from "./load/make-requests";
import { cpuMsEach, median, table } from "./measure";

const TRANSFERS = 2000;
const ROUNDS = 7;
const RUNS = 100;
const CONTRACT = "0x00000000000000000000000000000000c0ffee00";

/** CPU time from a request's bytes to validated input, without the database. */
export async function benchValidation(): Promise<void> {
  const limits = batchLimits(parseSettings({}));
  const schema = submitBatchInput(limits);
  const operation = new RouteTable(createRestRouter(limits))
    .match(`/v1/contracts/${CONTRACT}/batches`)!
    .operations.get("POST")!;
  let fresh = 0;
  const bodies = {
    "lower case": () => body((at) => `0x${(at + 4096).toString(16).padStart(40, "0")}`),
    "EIP-55, seen before": () => body(addressNumbered),
    "EIP-55, never seen": () => body(() => addressNumbered(fresh++)),
  };
  const rows: string[][] = [];
  for (const [name, make] of Object.entries(bodies)) {
    const times: Record<"parse" | "read" | "check", number[]> = { parse: [], read: [], check: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const texts = Array.from({ length: RUNS }, make);
      if (name === "EIP-55, never seen") forgetAddresses();
      times.parse.push(await cpuMsEach(texts, (text) => JSON.parse(text)));
      times.read.push(
        await cpuMsEach(texts, (text) =>
          readInput(request(text), operation, { contractAddress: CONTRACT }, "", 2 ** 20),
        ),
      );
      const inputs = texts.map((text) => ({ ...JSON.parse(text), contractAddress: CONTRACT }));
      times.check.push(await cpuMsEach(inputs, (input) => schema.parse(input)));
    }
    rows.push([name, ...Object.values(times).map((each) => median(each).toFixed(2))]);
  }
  console.log(
    `\nValidation of ${TRANSFERS} transfers, CPU ms per request: median of ${ROUNDS} rounds of ${RUNS}.\n`,
  );
  console.log(table(["addresses", "JSON.parse alone", "body → input", "input → checked"], rows));
}

/** More addresses than the checksum cache holds, to evict all others. */
function forgetAddresses(): void {
  for (let at = 0; at < 20_001; at++) addressNumbered(2 ** 40 + at);
}

function body(address: (at: number) => string): string {
  const transfers = Array.from({ length: TRANSFERS }, (_, at) => ({
    toAddress: address(at),
    points: `${at + 1}.25`,
  }));
  return JSON.stringify({ pointType: "PHASE2_POINTS", secondsToFinalize: 3600, transfers });
}

function request(text: string): RestRequest {
  const bytes = Buffer.from(text);
  return {
    url: "http://host/",
    method: "POST",
    signal: new AbortController().signal,
    headers: new Headers({ "Content-Type": "application/json" }),
    body: (async function* () {
      yield bytes;
    })(),
  };
}
