import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { appPort, type BuiltApp, newToken, startBuiltApp } from "./launch-app";
import { signInTo } from "./sign-in";

const MARK = "marked-in-logs";
const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
/** A unique wallet; every batch's body contains it and a unique amount. */
const WALLET = "0xdecafc0ffee0000000000000000000000000beef";
const OPERATOR = privateKeyToAccount(`0x${"7".repeat(64)}`);

/** Breaks the database, so that the same requests fail while they carry secrets. */
const BREAKS: [what: string, breaks: string, repairs: string][] = [
  ["nothing is broken", "select 1", "select 1"],
  [
    "tokens cannot be read",
    "alter table access_tokens rename to lost",
    "alter table lost rename to access_tokens",
  ],
  ["people cannot be read", "alter table staff rename to lost", "alter table lost rename to staff"],
  [
    "batches cannot be written",
    "alter table batch_transfers rename to lost",
    "alter table lost rename to batch_transfers",
  ],
  [
    "challenges cannot be spent",
    "alter table spent_challenges rename to lost",
    "alter table lost rename to spent_challenges",
  ],
];

describe("the log, at its most verbose level", () => {
  let app: BuiltApp;
  let db: Database;
  /** Of the output until the service was ready. */
  let startLength = 0;
  const secrets = new Map<string, string>();
  beforeAll(async () => {
    const port = await appPort();
    const environment = {
      LOG_LEVEL: "debug",
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ALERT_WEBHOOK_URL: `http://127.0.0.1:1/${MARK}-alert-hook`,
      SMTP_URL: `smtp://${MARK}-mailer:${MARK}-mail-password@127.0.0.1:1`,
      MAIL_FROM: "points@example.com",
      ALERT_EMAIL_TO: "ops@example.com",
      AUTH_SECRET: `${MARK}-session-secret`,
      CRON_SECRET: `${MARK}-cron-secret`,
      METRICS_TOKEN: `${MARK}-metrics-token`,
      ADMIN_PASSWORD: `${MARK} admin password`,
      RPC_URL: `http://127.0.0.1:1/${MARK}-rpc-key`,
      OIDC_ISSUER: "http://127.0.0.1:1/issuer",
      OIDC_CLIENT_ID: "console",
      OIDC_CLIENT_SECRET: `${MARK}-oidc-secret`,
    };
    app = await startBuiltApp({ environment, port });
    app.admin.password = environment.ADMIN_PASSWORD;
    app.cronSecret = environment.CRON_SECRET;
    const url = app.databaseUrl();
    secrets.set("the database's password", new URL(url).password);
    db = createDatabase({ url, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
    await app.ops([
      "contract",
      "create",
      "--address",
      CONTRACT,
      "--label",
      "One",
      "--operator",
      OPERATOR.address,
    ]);
    secrets.set("an access token", await newToken(app, CONTRACT));
    secrets.set("a marked value", MARK);
    secrets.set("a wallet in a body", WALLET.slice(2));
    secrets.set("an amount in a body", "31415.926535");
    startLength = app.output().length;
  });
  afterAll(async () => {
    await db?.close();
    await app?.stop();
  });

  const send = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const reply = await fetch(`${app.url}${path}`, {
      method,
      redirect: "manual",
      headers: { "Content-Type": "application/json", ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: reply.status, text: await reply.text() };
  };

  async function callContracts(): Promise<void> {
    const path = `/v1/contracts/${CONTRACT}/batches`;
    const authorization = { Authorization: `Bearer ${secrets.get("an access token")}` };
    const batch = JSON.stringify({
      pointType: "PHASE2_POINTS",
      secondsToFinalize: 3600,
      transfers: [{ toAddress: WALLET, points: "31415.926535" }],
    });
    await send("POST", path, authorization, batch);
    await send("POST", path, authorization, `${batch.slice(0, -1)},"${MARK}":1}`);
    await send("POST", path, authorization, `{"${MARK}": not json`);
    await send("GET", `${path}?cursor=${MARK}&limit=1`, authorization);
    await send("GET", path, { Authorization: `Bearer ${MARK}-garbled` });
    await send("GET", path, { Authorization: `Basic ${MARK}`, Cookie: `${MARK}=1` });
    await send("GET", "/api/cron/finalize", { Authorization: `Bearer ${MARK}-wrong` });
    await send("GET", "/api/cron/finalize", { Authorization: `Bearer ${app.cronSecret}` });
    await send("GET", "/metrics", { Authorization: `Bearer ${MARK}-metrics-token` });
  }

  async function signInAsOperator(): Promise<void> {
    const asked = await send(
      "POST",
      "/v1/dapp-auth/challenge",
      {},
      JSON.stringify({ contractAddress: CONTRACT, operatorAddress: OPERATOR.address }),
    );
    if (asked.status !== 200) return;
    const { challengeData, message } = JSON.parse(asked.text) as { challengeData: string; message: string };
    const signature = await OPERATOR.signMessage({ message });
    secrets.set("a challenge", challengeData.slice(-40));
    secrets.set("a signature", signature.slice(2));
    const wrong = await privateKeyToAccount(`0x${"6".repeat(64)}`).signMessage({ message });
    secrets.set("a wrong signature", wrong.slice(2));
    for (const given of [wrong, signature, `${signature}${"00".repeat(40)}`, MARK]) {
      const solved = await send(
        "POST",
        "/v1/dapp-auth/solve",
        {},
        JSON.stringify({ challengeData, signature: given }),
      );
      const { bearerToken } = JSON.parse(solved.text) as { bearerToken?: string };
      if (bearerToken) secrets.set("an operator's token", bearerToken);
    }
  }

  async function signInAsStaff(): Promise<string> {
    const { password } = app.admin;
    app.admin.password = `${MARK} wrong password`;
    await signInTo(app).catch(() => undefined);
    app.admin.password = password;
    const { cookie } = await signInTo(app).catch(() => ({ cookie: "" }));
    const session = /session-token=([^;]{20,})/.exec(cookie)?.[1];
    if (session) secrets.set("a session's cookie", session);
    return cookie;
  }

  async function driveConsole(cookie: string): Promise<void> {
    const headers = { Cookie: cookie, Origin: app.url };
    const call = (name: string, input: object) =>
      send("POST", `/api/trpc/${name}`, headers, JSON.stringify(input));
    await call("console.staff.invite", { email: "new@example.com", role: "viewer", [MARK]: MARK });
    const invited = await call("console.staff.invite", {
      email: `p${Date.now()}@example.com`,
      role: "viewer",
    });
    const link = /welcome#([\w-]{20,})/.exec(invited.text)?.[1];
    if (link) secrets.set("an invitation's link", link);
    for (const channel of ["webhook", "email"]) await call("console.alerts.sendTest", { channel });
    await call("console.staff.requestReset", { email: app.admin.email });
    await call("console.staff.changeOwnPassword", {
      current: app.admin.password,
      next: `${MARK} next password`,
    });
    const input = { contractAddress: CONTRACT, name: "made", scopes: ["batches:read"], expiresInDays: null };
    const made = await call("console.contracts.createToken", input);
    const token = /ptb_\w{30,}/.exec(made.text)?.[0];
    if (token) secrets.set("a token made in the console", token);
    await send("GET", `/batches?idPrefix=${MARK}`, headers);
    await send("GET", `/api/auth/callback/oidc?code=${MARK}&state=${MARK}`, headers);
    await send("POST", "/api/auth/signin/oidc", headers, "{}");
    await send("GET", `/batches/${CONTRACT}/${MARK}`, { Cookie: `next-auth.session-token=${MARK}` });
    await send("GET", "/api/auth/session", { Cookie: `next-auth.csrf-token=${MARK}` });
    await send("GET", "/sign-in", { RSC: "1", "Next-Router-State-Tree": "garbage" });
    await send("POST", "/sign-in", { "Next-Action": "garbage" }, "[]");
  }

  test.each(BREAKS)("contains no secret when %s", async (_, breaks, repairs) => {
    await db.sql.unsafe(breaks);
    try {
      await callContracts();
      await signInAsOperator();
      await driveConsole(await signInAsStaff());
    } finally {
      await db.sql.unsafe(repairs);
    }
    const lines = app.output().split("\n");
    const leaked = [...secrets].flatMap(([what, secret]) =>
      lines.filter((line) => line.includes(secret)).map((line) => `${what}: ${line.slice(0, 300)}`),
    );
    expect(leaked).toEqual([]);
  });

  test("has only JSON lines after the start, and covers every kind of secret and failure", () => {
    const started = app.output().slice(startLength).split("\n");
    expect(started.filter((line) => line !== "" && !line.startsWith("{"))).toEqual([]);
    expect([...secrets.keys()].sort()).toEqual([
      "a challenge",
      "a marked value",
      "a session's cookie",
      "a signature",
      "a token made in the console",
      "a wallet in a body",
      "a wrong signature",
      "an access token",
      "an amount in a body",
      "an invitation's link",
      "an operator's token",
      "the database's password",
    ]);
    const lines = app
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as { level: number; msg: string; time: string; requestId?: string });
    const said = new Set(lines.map(({ msg }) => msg));
    expect([...said]).toEqual(
      expect.arrayContaining([
        "answered",
        "request failed",
        "console request failed",
        "the cron run failed",
        "a password reset link could not be sent",
      ]),
    );
    const ofRequests = lines.filter(({ msg }) => msg === "answered" || msg === "request failed");
    expect(ofRequests.length).toBeGreaterThan(20);
    for (const line of ofRequests) {
      expect(line.requestId).toMatch(/\S/);
      expect(Date.parse(line.time)).toBeGreaterThan(0);
    }
  });
});
