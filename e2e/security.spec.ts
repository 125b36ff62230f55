import { expect } from "@playwright/test";
import { test } from "./journey";

test("scripts cannot be injected, pages cannot be framed, nonces cannot be read", async ({
  page,
  violations,
}) => {
  const nonceOf = async () => {
    const reply = await page.goto("/sign-in");
    return /'nonce-([^']+)'/.exec(reply!.headers()["content-security-policy"]!)![1]!;
  };
  const [first, second] = [await nonceOf(), await nonceOf()];
  expect(first).toMatch(/^[A-Za-z0-9+/]{22}==$/);
  expect(second).not.toBe(first);
  expect(await page.evaluate(() => document.querySelector("script")!.getAttribute("nonce"))).toBe("");

  await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", '<img src="/none" onerror="window.injected = true">');
  });
  await expect.poll(() => violations.length).toBe(1);
  expect(violations[0]).toMatch(/inline event handler.*script-src/is);
  expect(await page.evaluate(() => "injected" in window)).toBe(false);

  await page.evaluate(() => {
    const frame = document.createElement("iframe");
    frame.src = "/docs";
    document.body.append(frame);
  });
  await expect.poll(() => violations.join()).toMatch(/frame-ancestors/);
  violations.length = 0;
});
