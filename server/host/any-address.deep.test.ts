import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { newContractToken } from "@/testing/launch-app";
import { signInTo } from "@/testing/sign-in";
import { useBuiltApp } from "@/testing/use-built-app";
import { MARKED_SECRETS } from "../../testing/marked-secrets.mjs";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const ADDRESSES = ["https://batches.team.example", "http://inner.example:8080"] as const;

/** Files of the build that contain a text. The bundler's cache does not count. */
function builtFilesWith(text: string): string[] {
  return [".next", "dist"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((file) => path.join(folder, file))
      .filter((file) => !/^\.next\/(?:cache|dev)\//.test(file) && statSync(file).isFile())
      .filter((file) => readFileSync(file).includes(text)),
  );
}

test("the build contains no address from its environment", () => {
  expect(builtFilesWith(new URL(MARKED_SECRETS.PUBLIC_URL).host)).toEqual([]);
  expect(builtFilesWith("/v1/dapp-auth/challenge").length).toBeGreaterThan(0);
});

describe.each(ADDRESSES)("the same build, served at %s", (address) => {
  const [other] = ADDRESSES.filter((each) => each !== address) as [string];
  const app = useBuiltApp({ environment: { PUBLIC_URL: address } });

  test("prints the address, shows it in the API reference and accepts sign-ins there", async () => {
    expect(app.output()).toContain(`Ready at ${address}`);
    const page = await (await fetch(`${app.url}/docs`)).text();
    expect(page).toContain(address);
    expect(page).not.toContain(other);
    const { url, cookie } = await signInTo(app);
    expect(url).toBe(`${address}/batches`);
    expect(cookie.includes("__Host-")).toBe(address.startsWith("https:"));
  });

  test("asks wallets to sign for that address", async () => {
    await newContractToken(app, CONTRACT);
    const reply = await fetch(`${app.url}/v1/dapp-auth/challenge`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ contractAddress: CONTRACT, operatorAddress: CONTRACT }),
    });
    const { message } = (await reply.json()) as { message: string };
    expect(message).toContain(`URI: ${address}`);
  });

  test("is the server in the OpenAPI document, for generated clients", async () => {
    const reply = await fetch(`${app.url}/v1/openapi.json`);
    expect(((await reply.json()) as { servers: unknown }).servers).toMatchObject([{ url: address }]);
  });

  test("sends HSTS only over https", async () => {
    const { headers } = await fetch(`${app.url}/sign-in`);
    expect(headers.has("strict-transport-security")).toBe(address.startsWith("https:"));
  });
});
