import { type ExecFileOptions, execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import { build, transformSync } from "esbuild";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltApp, newContractToken, newToken, startBuiltApp } from "@/testing/launch-app";
import { listenLocally, stopServer } from "@/testing/local-servers";

const CONTRACT = "0x000000000000000000000000000000000b0b0b00";

let app: BuiltApp;
let folder: string;
let token: string;
let page: string;
beforeAll(async () => {
  app = await startBuiltApp({
    environment: { MINIMUM_FINALIZE_SECONDS: "1", DEFAULT_FINALIZE_SECONDS: "2" },
  });
  folder = mkdtempSync(join(tmpdir(), "guides-"));
  token = await newContractToken(app, CONTRACT);
  page = await (await fetch(`${app.url}/docs`)).text();
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'" };
const decode = (html: string) =>
  html.replaceAll(/&(lt|gt|amp|quot|#x27);/g, (_, name: string) => ENTITIES[name]!);
/** The blocks as a visitor copies them. */
const blocksOf = (html: string) =>
  [...html.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)].map(([, code]) => decode(code!));
const shown = (language: string) =>
  [...page.matchAll(new RegExp(`data-language="${language}"[\\s\\S]*?</pre>`, "g"))].flatMap(([html]) =>
    blocksOf(html),
  );

const execute = promisify(execFile);

/**
 * Runs a program. Without blocking this process, which would see too late that the app has closed an idle
 * connection. @returns what it printed @throws Error with all that it printed, if it fails
 */
async function run(program: string, words: string[], options: ExecFileOptions): Promise<string> {
  try {
    return String((await execute(program, words, options)).stdout);
  } catch (error) {
    const { code, stderr, stdout } = error as { code?: number; stderr?: string; stdout?: string };
    throw new Error(`${code}: ${stderr}${stdout}`, { cause: error });
  }
}

/** Runs commands in a shell that has set the token and the contract as the page's first step says. */
function runInShell(commands: string, environment: Record<string, string> = {}) {
  const [first] = blocksOf(page.slice(page.indexOf('id="quick-start"')));
  const exports = first!.replace("ptb_…", token).replace("0x…", CONTRACT);
  expect(exports).toBe(`export TOKEN=${token}\nexport CONTRACT=${CONTRACT}`);
  const script = join(folder, "run.sh");
  writeFileSync(script, `set -euo pipefail\n${exports}\n${commands}\n`);
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH ?? "", ...environment };
  return run("bash", [script], { cwd: folder, env, timeout: 200_000 });
}

const list = async () => {
  const reply = await fetch(`${app.url}/v1/contracts/${CONTRACT}/batches?limit=200`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return (
    (await reply.json()) as { batch: { id: string; status: string; points: string; transferCount: number }[] }
  ).batch;
};

/** How to run the program of a language; the shell runs it. */
const RUNS = {
  curl: (code: string) => code,
  ts: (code: string) => {
    writeFileSync(join(folder, "quick-start.mjs"), transformSync(code, { loader: "ts", format: "esm" }).code);
    return `"${process.execPath}" quick-start.mjs`;
  },
  py: (code: string) => {
    writeFileSync(join(folder, "quick_start.py"), code);
    return "python3 quick_start.py";
  },
};
const NEEDED = { curl: "curl", ts: process.execPath, py: "python3" };

test.each(["curl", "ts", "py"] as const)(
  "the quick start in %s, as the page shows it, ends in a receipt",
  async (language) => {
    const isThere = spawnSync(NEEDED[language], ["--version"]).status === 0;
    if (!isThere)
      return console.warn(
        `The quick start in ${language} was not run: ${NEEDED[language]} is not installed.`,
      );
    const blocks = shown(language);
    expect(blocks.length).toBe(4);
    expect(blocks.join("\n")).toContain(`http://localhost:${new URL(app.url).port}/v1/`);
    const before = await list();
    const output = await runInShell(RUNS[language](blocks.join("\n\n")));
    const [made, ...others] = (await list()).filter(({ id }) => !before.some((known) => known.id === id));
    expect(others).toEqual([]);
    expect(made).toMatchObject({ status: "FINALIZED", points: "12.75", transferCount: 2 });
    expect(output).toContain("FINALIZED");
    expect(output).toMatch(/0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359[\s\S]*10\.5[\s\S]*0x[0-9a-f]{64}/);
  },
);

test("the quick start shows this host's limits, and as Markdown it has the same programs", async () => {
  expect(page).toMatch(
    /up to <strong[^>]*>2,000 transfers<\/strong>, waits <strong[^>]*>1 s to 2 s<\/strong>/,
  );
  const markdown = await (await fetch(`${app.url}/docs/quick-start.md`)).text();
  for (const language of ["curl", "ts", "py"])
    for (const block of shown(language)) expect(markdown).toContain(block);
});

test("the program in docs/pay-many.md pays a file of 5,000 once, and refuses a changed one", async () => {
  writeFileSync(join(folder, "pay.mjs"), blocksIn("docs/pay-many.md", "js").join("\n"));
  const alias = { "point-transfer-batches-client": resolve("client/src/index.ts") };
  await build({
    entryPoints: [join(folder, "pay.mjs")],
    outfile: join(folder, "paid.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    alias,
  });
  const rows = Array.from(
    { length: 5000 },
    (_, at) => `0x${(0xabc000 + at).toString(16).padStart(40, "0")},${at + 1}.25`,
  );
  writeFileSync(join(folder, "payout.csv"), ["address,points", ...rows, ""].join("\n"));
  const pay = () => runInShell(`"${process.execPath}" paid.mjs payout.csv rewards`, { BASE: app.url });
  const before = (await list()).length;
  const output = await pay();
  expect(output).toContain("submitted 5000 transfers in 3 batches");
  expect(output).toMatch(
    /rewards-1 FINALIZED: 2001500 points\n.*rewards-2 FINALIZED.*\nrewards-3 FINALIZED/s,
  );
  expect(await pay()).toBe(output);
  expect((await list()).length).toBe(before + 3);
  writeFileSync(
    join(folder, "payout.csv"),
    ["address,points", ...rows.with(4999, rows[4999]!.replace(".25", ".5")), ""].join("\n"),
  );
  await expect(pay()).rejects.toThrow(/batch_id_conflict/);
  for (const [text, message] of [
    [`address,points\n${rows.slice(0, 4000).join("\n")}\n`, /rewards has more batches than the file/],
    [`address,points\n${rows[0]}\n0x${"9".repeat(40)},1,234\n`, /Line 3 must have 2 cells/],
    [`address,points,reference\n0x${"9".repeat(40)},5\n`, /Line 2 must have 3 cells/],
    [`address,points,note\n0x${"9".repeat(40)},5,x\n`, /Headings that this program does not read/],
  ] as const) {
    writeFileSync(join(folder, "payout.csv"), text);
    await expect(pay()).rejects.toThrow(message);
  }
  expect((await list()).length).toBe(before + 3);
  const paidOnce = (payout: string) =>
    runInShell(`"${process.execPath}" paid.mjs payout.csv ${payout}`, { BASE: app.url });
  writeFileSync(
    join(folder, "payout.csv"),
    `\uFEFFaddress,points,reference\r\n0x${"9".repeat(40)},5,season-3\r\n`,
  );
  expect(await paidOnce("one")).toContain("submitted 1 transfers");
  await expect(paidOnce("two")).rejects.toThrow(/reference_already_paid/);
});

/** Code blocks of a guide, also those in lists. */
const blocksIn = (file: string, language: string) =>
  [
    ...readFileSync(file, "utf8").matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, "gm")),
  ].map(([, code]) => code!);

test("the check in docs/going-live.md passes at the service's own URL, and fails at one that redirects", async () => {
  const [check] = blocksIn("docs/going-live.md", "sh") as [string];
  const at = (base: string) => runInShell(check.replace(/BASE=\S+/, `BASE=${base}`));
  const before = (await list()).length;
  expect(JSON.parse(await at(app.url))).toMatchObject({ status: 400, code: "validation_failed" });
  const redirecting = createServer(({ url }, reply) => {
    reply.writeHead(301, { Location: app.url + url }).end();
  });
  const port = await listenLocally(redirecting);
  await expect(at(`http://127.0.0.1:${port}`)).rejects.toThrow(/^1: $/);
  await stopServer(redirecting);
  expect((await list()).length).toBe(before);
});

test("the receiver in docs/webhooks.md accepts a signed event, and refuses a changed one", async () => {
  const [receiver, ...others] = blocksIn("docs/webhooks.md", "ts");
  expect(others).toEqual([]);
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const sentAt = new Date();
  const body = JSON.stringify({ type: "batch.finalized", data: { batchId: "b" } });
  const headers = {
    "webhook-id": "event-1",
    "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("event-1", sentAt, body),
  };
  const given = "const sent = JSON.parse(process.argv[2]);\nconst { rawBody } = sent;";
  const contents = `${given}
const headers = new Headers(sent.headers);
${receiver}
console.log(event.type);`;
  const outfile = join(folder, "receiver.mjs");
  const stdin = { contents, resolveDir: resolve("."), loader: "ts" as const };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node" });
  const receive = (rawBody: string) =>
    run(process.execPath, [outfile, JSON.stringify({ rawBody, headers })], {
      env: { ...process.env, WEBHOOK_SECRET: secret },
    });
  expect(await receive(body)).toBe("batch.finalized\n");
  await expect(receive(body.replace("finalized", "cancelled"))).rejects.toThrow(/No matching signature/);
});

test("the commands in docs/migrate.md register a contract with its operator and points", async () => {
  const address = "0x000000000000000000000000000000000e1de500";
  const inText = /`(npm run [^`]+ points grant [^`]+)`/.exec(readFileSync("docs/migrate.md", "utf8"))![1]!;
  const commands = [...blocksIn("docs/migrate.md", "sh"), inText].join("\n").replaceAll("0x…", address);
  const env = { ...process.env, DATA_DIR: app.dataDir };
  await run("bash", ["-euc", commands], { env });
  const made = await newToken(app, address);
  const balances = await fetch(`${app.url}/v1/contracts/${address}/point-balances`, {
    headers: { Authorization: `Bearer ${made}` },
  });
  expect(await balances.json()).toMatchObject({
    balancesByPointType: { PHASE2_POINTS: { available: "1000000" } },
  });
});

test("the commands in docs/claims.md turn a month of points into tokens, and its program proves a claim", async () => {
  await app.ops(["seed-demo", "--batches", "500", "--add"]);
  const [take, make, publish, files, ask] = blocksIn("docs/claims.md", "sh") as [string, ...string[]];
  const env = { ...process.env, DATA_DIR: app.dataDir };
  const runThere = (commands: string, ids: Record<string, string> = {}) => {
    const own = Object.entries(ids).reduce(
      (text, [name, id]) => text.replace(new RegExp(`^${name}=\\S+`, "m"), `${name}=${id}`),
      commands,
    );
    return run("bash", ["-euc", own], { env });
  };
  const idIn = (output: string) => /^[0-9a-f-]{36}(?= {2}(?:TAKEN|READY|PUBLISHED) {2})/m.exec(output)![0];
  const SNAPSHOT = idIn(await runThere(take));
  const ALLOCATION = idIn(await runThere(make!, { SNAPSHOT }));
  expect(idIn(await runThere(publish!, { ALLOCATION }))).toBe(ALLOCATION);
  const here = (commands: string) =>
    runThere(
      `ALLOCATION=${ALLOCATION}\n${commands}`
        .replaceAll(/tree\.json|tokens\.csv/g, (name) => join(folder, name))
        .replace("http://localhost:3000", app.url),
    );
  await here(files!);
  const { claim } = JSON.parse(await here(ask!)) as {
    claim: { address: string; root: string; decimals: number };
  };
  expect(claim.decimals).toBe(18);
  const tree = StandardMerkleTree.load<[string, string]>(
    JSON.parse(readFileSync(join(folder, "tree.json"), "utf8")),
  );
  tree.validate();
  expect(tree.root).toBe(claim.root);
  const amounts = [...tree.entries()].map(([, [, amount]]) => BigInt(amount));
  expect(amounts.reduce((sum, amount) => sum + amount)).toBe(10n ** 24n);
  const lines = join(folder, "claims.ndjson");
  await here(`npm run -s ops -- allocation file --id $ALLOCATION --form lines --out ${lines}`);
  const check = blocksIn("docs/verify.md", "js").find((code) => code.includes("check-claims.mjs"))!;
  expect(await run(process.execPath, ["--input-type=module", "-e", check, "-", lines], {})).toBe(
    `${claim.root}: ${amounts.length} claims of ${10n ** 24n} base units\n`,
  );
  const [program] = blocksIn("docs/claims.md", "js");
  const prove = (...words: string[]) =>
    run(process.execPath, ["--input-type=module", "-e", program!, "-", ...words], {});
  const asked = [app.url, ALLOCATION, claim.address] as const;
  expect(await prove(...asked, claim.root)).toMatch(
    /^Proven: 0x\S+ gets [\d.]+ tokens by “Season 1 tokens”\.\n$/,
  );
  await expect(prove(...asked, `0x${"1".repeat(64)}`)).rejects.toThrow("NOT proven");
});

test("llms.txt follows llmstxt.org, and each link is there, as Markdown if it ends in .md", async () => {
  const reply = await fetch(`${app.url}/llms.txt`);
  const text = await reply.text();
  expect(reply.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(text).toMatch(
    /^# [^\n]+\n\n> [^\n]+\n\n[^#]+\n\n## Guides\n\n(?:- \[[^\]]+\]\([^)]+\): [^\n]+\n)+\n## Reference\n\n/,
  );
  const links = [...text.matchAll(/\]\((\S+)\)/g)].map(([, link]) => link!);
  expect(links.length).toBeGreaterThan(10);
  for (const link of links) {
    const { status, headers } = await fetch(link.replace("localhost", "127.0.0.1"));
    expect([link, status]).toEqual([link, 200]);
    if (link.endsWith(".md")) expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  }
  expect((await fetch(`${app.url}/docs/no-such-guide.md`)).status).toBe(404);
});
