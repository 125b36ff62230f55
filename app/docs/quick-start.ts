import { publicOrigin, settings } from "@/server/kernel/settings";
import { formatCount, formatDuration } from "@/terms/output-text";

export const LANGUAGES = { curl: "curl", ts: "TypeScript", py: "Python" } as const;
export type Language = keyof typeof LANGUAGES;

export interface Step {
  title: string;
  text: string;
  /** The same for every language, or one each. Those of one language are one program. */
  code: string | Record<Language, string>;
}

/** A look at the batch every 2 s to 5 minutes: not more often than the wait deserves. */
const pollSeconds = (waitSeconds: number) => Math.min(300, Math.max(2, Math.ceil(waitSeconds / 20)));

/** From a token to a receipt, with this host's address and limits. */
export function quickStart(): { introduction: string; steps: Step[] } {
  const origin = publicOrigin();
  const {
    MINIMUM_FINALIZE_SECONDS: wait,
    DEFAULT_FINALIZE_SECONDS: longest,
    MAX_TRANSFERS_PER_BATCH: transfers,
    RATE_LIMIT_PER_MINUTE: perMinute,
  } = settings();
  const poll = pollSeconds(wait);
  const limits = [
    `a batch has up to **${formatCount(transfers)} transfers**`,
    `waits **${formatDuration(wait)} to ${formatDuration(longest)}** before it is finalized`,
    perMinute > 0
      ? `and a token may send **${formatCount(perMinute)} requests a minute**`
      : "and requests are not limited",
  ];
  return {
    introduction:
      "Pay two recipients, wait until they are credited, and get a receipt. " +
      `On this host ${limits.join(", ")}.`,
    steps: [
      {
        title: "Set the token and the contract",
        text:
          "Staff create an access token on the contract's page in the console. " +
          "It needs the scopes `batches:read` and `batches:write`, and is shown once.",
        code: `export TOKEN=ptb_…\nexport CONTRACT=0x…`,
      },
      {
        title: "Try the batch first",
        text:
          "A dry run checks every row and the contract's points, and stores nothing. Amounts are strings. " +
          "You choose the batch's ID, which makes the submit safe to repeat.",
        code: {
          curl: `BATCH=quick-start-$(date +%s)
BATCHES=${origin}/v1/contracts/$CONTRACT/batches
call() {
  curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" \\
    -H "Content-Type: application/json" "$@" && echo
}

cat > batch.json <<'END'
{
  "pointType": "PHASE2_POINTS",
  "secondsToFinalize": ${wait},
  "transfers": [
    { "toAddress": "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", "points": "10.5" },
    { "toAddress": "0x000000000000000000000000000000000000dEaD", "points": "2.25" }
  ]
}
END
call -X PUT "$BATCHES/$BATCH?dryRun=true" -d @batch.json`,
          ts: `\
// Save as quick-start.mts. Node 22.18 or newer runs it: node quick-start.mts
// An older Node needs tsx, which this command downloads: npx --yes tsx quick-start.mts
const batchId = \`quick-start-\${Date.now()}\`;
const batch = {
  pointType: "PHASE2_POINTS",
  secondsToFinalize: ${wait},
  transfers: [
    { toAddress: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", points: "10.5" },
    { toAddress: "0x000000000000000000000000000000000000dEaD", points: "2.25" },
  ],
};

async function call(method: string, path: string, body?: object) {
  const address = \`${origin}/v1/contracts/\${process.env.CONTRACT}/batches/\${path}\`;
  const headers = { Authorization: \`Bearer \${process.env.TOKEN}\`, "Content-Type": "application/json" };
  const reply = await fetch(address, { method, headers, body: body && JSON.stringify(body) });
  const answer: any = await reply.json();
  if (!reply.ok) throw new Error(\`\${answer.code}: \${answer.detail}\`);
  return answer;
}

const preview = await call("PUT", \`\${batchId}?dryRun=true\`, batch);
console.log(\`\${preview.points} points for \${preview.transferCount} recipients\`);`,
          py: `# Save as quick_start.py. It needs no packages.
import json, os, time, urllib.error, urllib.request

batch_id = f"quick-start-{int(time.time())}"
batch = {
    "pointType": "PHASE2_POINTS",
    "secondsToFinalize": ${wait},
    "transfers": [
        {"toAddress": "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", "points": "10.5"},
        {"toAddress": "0x000000000000000000000000000000000000dEaD", "points": "2.25"},
    ],
}

def call(method, path, body=None):
    address = f"${origin}/v1/contracts/{os.environ['CONTRACT']}/batches/{path}"
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}
    data = json.dumps(body).encode() if body else None
    try:
        with urllib.request.urlopen(urllib.request.Request(address, data, headers, method=method)) as reply:
            return json.load(reply)
    except urllib.error.HTTPError as error:
        raise SystemExit(error.read().decode())

preview = call("PUT", f"{batch_id}?dryRun=true", batch)
print(preview["points"], "points for", preview["transferCount"], "recipients")`,
        },
      },
      {
        title: "Submit it",
        text:
          "The points are reserved now. If you lose the reply, send the same request again: " +
          "the batch is stored once. Until it is due, `DELETE` with the same path cancels it.",
        code: {
          curl: `call -X PUT "$BATCHES/$BATCH" -d @batch.json`,
          ts: `const { batchId: stored } = await call("PUT", batchId, batch);
console.log(\`submitted \${stored}\`);`,
          py: `call("PUT", batch_id, batch)
print("submitted", batch_id)`,
        },
      },
      {
        title: "Wait until it is finalized",
        text: `That takes ${formatDuration(wait)} here. A [webhook](webhooks.md) saves the polling.`,
        code: {
          curl: `while call "$BATCHES/$BATCH" > state.json; do
  grep -oE '"status":"(FINALIZED|CANCELLED)"' state.json && break
  sleep ${poll}
done`,
          ts: `let state = (await call("GET", batchId)).batch;
while (state.status !== "FINALIZED" && state.status !== "CANCELLED") {
  await new Promise((resolve) => setTimeout(resolve, ${poll} * 1000));
  state = (await call("GET", batchId)).batch;
}
console.log(state.status);`,
          py: `state = call("GET", batch_id)["batch"]
while state["status"] not in ("FINALIZED", "CANCELLED"):
    time.sleep(${poll})
    state = call("GET", batch_id)["batch"]
print(state["status"])`,
        },
      },
      {
        title: "Get a receipt",
        text:
          "It proves a recipient's transfer against the batch's root. " +
          "[Check a receipt](verify.md) has programs that do so without trusting this service.",
        code: {
          curl: `call "$BATCHES/$BATCH/receipts/0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"`,
          ts: `\
const { receipt } = await call("GET", \`\${batchId}/receipts/\${batch.transfers[0]!.toAddress}\`);
console.log(\`\${receipt.toAddress} received \${receipt.points}; root \${receipt.root}\`);`,
          py: `receipt = call("GET", f"{batch_id}/receipts/{batch['transfers'][0]['toAddress']}")["receipt"]
print(receipt["toAddress"], "received", receipt["points"], "- root", receipt["root"])`,
        },
      },
    ],
  };
}

const UNSET = "Set TOKEN and CONTRACT first.";

/** What a whole program begins with, in place of the first step: it stops before it sends anything. */
const STARTS: Record<Language, string> = {
  curl: `\
export TOKEN=     # ptb_…
export CONTRACT=  # 0x…
: "\${TOKEN:?${UNSET}}" "\${CONTRACT:?${UNSET}}"`,
  ts: `\
// export TOKEN=ptb_…
// export CONTRACT=0x…
if (!process.env.TOKEN || !process.env.CONTRACT) throw new Error("${UNSET}");`,
  py: `\
# export TOKEN=ptb_…
# export CONTRACT=0x…
import os
if not os.environ.get("TOKEN") or not os.environ.get("CONTRACT"):
    raise SystemExit("${UNSET}")`,
};

export function programOf(steps: Step[], language: Language): string {
  const codes = steps.flatMap(({ code }) => (typeof code === "string" ? [] : [code[language]]));
  const program = [STARTS[language], ...codes].join("\n\n");
  // In a shell of its own, which a missing value ends. The terminal's own shell would only print it.
  return language === "curl" ? `(\n${program}\n)` : program;
}

const FENCES = { curl: "sh", ts: "ts", py: "python" } as const;

export function quickStartMarkdown(): string {
  const { introduction, steps } = quickStart();
  const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;
  const parts = steps.flatMap(({ title, text, code }, index) => [
    `## ${index + 1}. ${title}`,
    text,
    ...(typeof code === "string"
      ? [fenced("sh", code)]
      : Object.entries(FENCES).map(([name, fence]) => fenced(fence, code[name as Language]))),
  ]);
  return `${["# Quick start", introduction, ...parts].join("\n\n")}\n`;
}
