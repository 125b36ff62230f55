import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Compatible with our own license, MIT. */
const ACCEPTED = [
  "(Apache-2.0 AND MIT)",
  "0BSD",
  "Apache-2.0",
  "Apache-2.0 AND LGPL-3.0-or-later",
  "Apache-2.0 AND LGPL-3.0-or-later AND MIT",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC-BY-4.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "Public Domain",
  "SIL OPEN FONT LICENSE",
  "Unlicense",
];

test("every package that `npm install --omit=dev` may install has an accepted license", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const installed = Object.entries<{ license?: string; dev?: boolean }>(packages).filter(
    ([path, { dev }]) => path.includes("node_modules/") && !dev,
  );
  expect(installed.length).toBeGreaterThan(100);
  const refused = installed
    .filter(([, { license }]) => !license || !ACCEPTED.includes(license))
    .map(([path, { license }]) => `${path}: ${license ?? "none stated"}`);
  expect(refused).toEqual([]);
});
