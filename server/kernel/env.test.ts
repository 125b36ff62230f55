import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { SETTINGS } from "./env";
import { misspelled, parseSettings, SettingsError } from "./settings";

function problemsOf(environment: Record<string, string>): string {
  try {
    parseSettings(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error("the settings were accepted");
}

describe("settings", () => {
  test("let a batch wait ten seconds at least with the embedded Postgres, and an hour with another", () => {
    const least = (given: Record<string, string>) => parseSettings(given).MINIMUM_FINALIZE_SECONDS;
    const own = {
      DATABASE_URL: "postgres://db.example.com/points",
      AUTH_SECRET: "a-secret-of-this-test",
      CRON_SECRET: "another-secret-of-it",
    };
    expect(least(own)).toBe(3600);
    expect(least({ MINIMUM_FINALIZE_SECONDS: "60" })).toBe(60);
    expect(least({ DEFAULT_FINALIZE_SECONDS: "5" })).toBe(5);
    expect(problemsOf({ DEFAULT_FINALIZE_SECONDS: "soon" })).toContain("DEFAULT_FINALIZE_SECONDS");
  });

  test("of messages need each other, and the public URL that messages link to", () => {
    const good = {
      PUBLIC_URL: "https://points.example.com",
      ALERT_WEBHOOK_URL: "https://hooks.example.com/secret",
      SMTP_URL: "smtp://user:p%40ss@mail.example.com:587",
      MAIL_FROM: "Points <points@example.com>",
      ALERT_EMAIL_TO: "ops@example.com, lead@example.com",
    };
    expect(parseSettings(good)).toMatchObject({
      MAIL_FROM: { name: "Points", address: "points@example.com" },
      ALERT_EMAIL_TO: ["ops@example.com", "lead@example.com"],
    });
    expect(parseSettings({ ...good, MAIL_FROM: "points@example.com" }).MAIL_FROM).toEqual({
      name: "",
      address: "points@example.com",
    });
    for (const name of ["PUBLIC_URL", "SMTP_URL", "MAIL_FROM"])
      expect(problemsOf({ ...good, [name]: "" }), name).toMatch(new RegExp(`^  ${name}: is required`, "m"));
  });

  test.each([
    ["SMTP_URL", "http://mail.example.com"],
    ["MAIL_FROM", "Points\r\nBcc: evil@example.com <points@example.com>"],
    ["MAIL_FROM", "Points <a@example.com>, <b@example.com>"],
    ["ALERT_EMAIL_TO", "ops@example.com\r\nBcc: evil@example.com"],
    ["ALERT_WEBHOOK_URL", "file:///etc/passwd"],
  ])("%s refuses %j", (name, value) => {
    const words = problemsOf({ [name]: value });
    expect(words).toContain(`${name}: `);
    expect(words).not.toContain(value);
  });

  test("report all errors together, by name and never by value", () => {
    const words = problemsOf({
      PORT: "port-of-no-return",
      FINALIZER: "perhaps-tomorrow",
      MINIMUM_TRANSFER_POINTS: "1e3-secret",
      ADMIN_PASSWORD: "hunter2",
      AUTH_SECRET: "sesame",
      DATABASE_URL: "mysql://root:hunter2@host/db",
      LOG_LEVEL: "shouting",
    });
    const names = "PORT FINALIZER MINIMUM_TRANSFER_POINTS ADMIN_PASSWORD AUTH_SECRET DATABASE_URL LOG_LEVEL";
    for (const name of names.split(" ")) expect(words).toMatch(new RegExp(`^ {2}${name}: \\S`, "m"));
    expect(words).not.toMatch(/hunter2|sesame|perhaps|secret|no-return|shouting|mysql/);
  });

  test("are rejected outside their bounds", () => {
    for (const given of [
      ..."PORT=-1 PORT=3000.5 PORT=0x10 MINIMUM_TRANSFER_POINTS=0 FINALIZER=true ADMIN_EMAIL=nobody".split(
        " ",
      ),
      ..."MINIMUM_TRANSFER_GOLD=0.0000000000001 PUBLIC_URL=ftp://example.com PUBLIC_URL=https://a.b/c".split(
        " ",
      ),
      ..."PUBLIC_URL=https://example.com/?tenant=1 PUBLIC_URL=https://me@example.com PORT=65536".split(" "),
      ..."CRON_SECRET=changeme-changeme-changeme METRICS_TOKEN=0123456789abcdef".split(" "),
      ..."DEFAULT_TIME_ZONE=Mars/Olympus DEFAULT_TIME_ZONE=+02:00 DATABASE_URL=postgres://o:s@one,two/p".split(
        " ",
      ),
      ...["PORT= 80", "CRON_SECRET=sixteen letters ", `AUTH_SECRET=${"a".repeat(32)}`],
    ]) {
      const at = given.indexOf("=");
      const name = given.slice(0, at);
      expect(problemsOf({ [name]: given.slice(at + 1) }), given).toContain(`  ${name}: `);
    }
  });

  test("read a secret from the file that NAME_FILE names, without its last line end", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "settings-"));
    const file = path.join(folder, "secret");
    writeFileSync(file, "a-secret-of-this-test\n");
    expect(parseSettings({ METRICS_TOKEN_FILE: file }).METRICS_TOKEN).toBe("a-secret-of-this-test");
    expect(problemsOf({ METRICS_TOKEN_FILE: file, METRICS_TOKEN: "another-secret-of-it" })).toContain(
      "METRICS_TOKEN: differs from the file of METRICS_TOKEN_FILE",
    );
    expect(problemsOf({ METRICS_TOKEN_FILE: path.join(folder, "none") })).toContain(
      "METRICS_TOKEN_FILE: its file cannot be read (ENOENT)",
    );
    rmSync(folder, { recursive: true });
  });

  test("refuse one secret for two purposes", () => {
    const same = "a-secret-of-this-test";
    expect(problemsOf({ AUTH_SECRET: same, CRON_SECRET: same })).toContain(
      "CRON_SECRET: must differ from AUTH_SECRET",
    );
  });

  test.each([
    ["DATABSE_URL", "DATABASE_URL"],
    ["PUBLIC_RECIEPTS", "PUBLIC_RECEIPTS"],
    ["METRICS_TOKN_FILE", "METRICS_TOKEN_FILE"],
  ])("a name that is nearly one, %s, is named with what was probably meant", (wrong, meant) => {
    expect(misspelled({ [wrong]: "x", PATH: "/bin", HOSTNAME: "h", DATABASE_HOST: "h", PORTS: "1" })).toEqual(
      [`${wrong} is not a setting. Did you mean ${meant}?`],
    );
  });

  /** Joined, so that the search for secrets in files finds none. */
  const url = (password: string, host = "host") =>
    ["postgres://owner:", password, "@", host, "/points"].join("");
  const AT = url("hunter2", "db.example.com");
  test.each([
    [url("pa%ss"), /percent-encoded: % as %25/],
    [url("pa#ss"), /percent-encoded/],
    [url("12#ss"), /percent-encoded/],
    [url("pass", "host:99999"), /its port must be a number from 1 to 65535/],
    [url("pass", "host:port"), /its port must be/],
    [
      `${AT}?sslmode=requireme`,
      /sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full/,
    ],
    [
      `${AT}?sslmode=verify-full&sslrootcert=/none/ca.pem`,
      /the file of sslrootcert cannot be read \(ENOENT\)/,
    ],
    [`${AT}?sslmode=verify-full&sslrootcert=package.json`, /must be in PEM format/],
    [`${AT}?schema=points`, /remove schema from the URL: the service uses the schema public/],
    [`${AT}?gssencmode=require`, /remove gssencmode=require/],
    [
      `${AT}?sslcrl=x&require_auth=scram-sha-256&connect_timeout=1`,
      /remove sslcrl, require_auth from the URL/,
    ],
  ])("reject DATABASE_URL=%s in one line that says what to change", (given, words) => {
    const said = problemsOf({
      DATABASE_URL: given,
      AUTH_SECRET: "a-secret-of-this-test",
      CRON_SECRET: "another-secret-of-it",
    });
    expect(said.split("\n")).toEqual(["Invalid settings:", expect.stringMatching(/^ {2}DATABASE_URL: /)]);
    expect(said).toMatch(words);
    expect(said).not.toMatch(/hunter2|pa.?ss@|12/);
  });

  test.each([
    ["a file that never ends", "/dev/zero", "is not a regular file"],
    ["a pipe that nobody writes to", "pipe", "is not a regular file"],
    ["a folder", ".", "is not a regular file"],
    ["a file of 2 MiB", "large", "is larger than 1048576 bytes"],
  ])("that name %s are refused: a file is read up to 1 MiB, and never waited for", (_, name, words) => {
    const folder = mkdtempSync(path.join(tmpdir(), "settings-"));
    execFileSync("mkfifo", [path.join(folder, "pipe")]);
    writeFileSync(path.join(folder, "large"), Buffer.alloc(2_097_152, "a"));
    const file = path.resolve(folder, name);
    expect(problemsOf({ METRICS_TOKEN_FILE: file })).toContain(`METRICS_TOKEN_FILE: its file ${words}`);
    expect(problemsOf({ DATABASE_URL: `${AT}?sslmode=verify-full&sslrootcert=${file}` })).toContain(
      `DATABASE_URL: the file of sslrootcert ${words}`,
    );
    rmSync(folder, { recursive: true });
  });

  test.each([
    [{ MAX_TRANSFERS_PER_BATCH: "10000" }, "BODY_BYTES_MAX=1100512 or MAX_TRANSFERS_PER_BATCH=9527"],
    [{ BODY_BYTES_MAX: "1024" }, "BODY_BYTES_MAX=220512 or MAX_TRANSFERS_PER_BATCH=4"],
    [{ WEB_CONCURRENCY: "8" }, "WEB_CONCURRENCY=8 with DATABASE_POOL_MAX=9 works"],
    [{ DATABASE_POOL_MAX: "98" }, "WEB_CONCURRENCY=1 with DATABASE_POOL_MAX=97 works"],
    [
      { WEB_CONCURRENCY: "64", DATABASE_POOL_MAX: "500" },
      "WEB_CONCURRENCY=25 with DATABASE_POOL_MAX=1 works",
    ],
  ])(
    "reject %j, which conflicts with another setting, and suggest values that work",
    (environment, values) => {
      expect(problemsOf(environment)).toContain(values);
      const fixed = [...values.matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [name, value]);
      expect(parseSettings({ ...environment, ...Object.fromEntries(fixed) })).toBeDefined();
    },
  );

  test("require both secrets with an external database", () => {
    const words = problemsOf({ DATABASE_URL: "postgres://db.example.com/points" });
    expect(words).toMatch(/AUTH_SECRET: is required/);
    expect(words).toMatch(/CRON_SECRET: is required/);
  });

  test("of deploy/kubernetes.yaml exist, with values that are allowed", () => {
    const text = readFileSync("deploy/kubernetes.yaml", "utf8");
    const given = [...text.matchAll(/name: ([A-Z_]+),? *\n? *value: "?([^"\n}]+)"?/g)];
    expect(given.length).toBeGreaterThan(2);
    for (const [, name, value] of given)
      expect(SETTINGS[name as keyof typeof SETTINGS].safeParse(value), name).toMatchObject({ success: true });
  });
});
