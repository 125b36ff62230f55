import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const SOURCE = /\.(?:ts|tsx|mts|mjs)$/;
const SKIPPED = new Set(["node_modules", "dist", ".next", ".git", ".data"]);
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^"'`;]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

export interface Import {
  /** Path from the project's root, with forward slashes. */
  from: string;
  /** A project path without its extension, or a package name. */
  to: string;
  /** Whether it imports only types, which do not exist at run time. */
  isType: boolean;
}

/** The imports in a file's text. */
export function importsOf(from: string, text: string): Import[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  return [...code.matchAll(IMPORT)].map((match) => {
    const given = (match[1] ?? match[2] ?? match[3])!;
    return { from, to: resolve(from, given), isType: /^\s*(?:import|export)\s+type\s/.test(match[0]) };
  });
}

function resolve(from: string, given: string): string {
  if (given.startsWith("@/")) return given.slice(2);
  if (!given.startsWith(".")) return given;
  return path.posix.join(path.posix.dirname(from), given).replace(/\.ts$/, "");
}

/** Every import in the source files below `folders`. */
export function readImports(root: string, folders: readonly string[]): Import[] {
  const files: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) visit(name);
      else if (entry.isFile() && SOURCE.test(entry.name)) files.push(name);
    }
  };
  for (const folder of folders) visit(folder);
  return files.flatMap((file) => importsOf(file, readFileSync(path.join(root, file), "utf8")));
}

export interface ImportRule {
  /** What the developer should do instead. */
  words: string;
  forbids(arrow: Import): boolean;
}

const isOurs = (to: string) => /^(?:app|server|terms|db|testing|e2e|bench|client)\//.test(to);
const isTest = (from: string) => /\.test\.tsx?$|^(?:client\/src\/)?testing\/|^(?:e2e|bench)\//.test(from);
const inFolder = (file: string, ...folders: string[]) =>
  folders.some((folder) => file.startsWith(`${folder}/`));
const isPackage = (to: string, ...names: string[]) =>
  names.some((name) => to === name || to.startsWith(`${name}/`));

/** Files outside `app` that may import Next or next-auth (docs/architecture.md). */
const KNOWS_NEXT =
  /^server\/(?:host\/|launch\/collect\.|auth\/(?:staff-session|session-cookies)\.|trpc\/(?:console-endpoint|caller)\.)/;
/** Files that may import tRPC: routers, their procedures, and the entry points. */
const KNOWS_TRPC =
  /^server\/(?:.*\/)?router\.ts$|^server\/(?:trpc|rest)\/|^server\/auth\/procedures\.ts$|^server\/host\/answer-cron\.ts$|^server\/kernel\/to-domain-error\.ts$/;
const PROCEDURES = "server/auth/procedures";
/** Files of the server that a browser also loads: they import only zod, terms and each other. */
const PURE =
  /^server\/(?:kernel\/(?:context|cursor)|batches\/list\/(?:console-schema|plan)|approvals\/needs-second-admin|webhooks\/schema)\.ts$/;
const isPure = (file: string) => inFolder(file, "terms") || PURE.test(file);
/** Packages that run anywhere: for inputs, addresses and workbooks. */
const PURE_PACKAGES = ["zod", "js-sha3", "fflate", "jsonc-parser", "saxen"];
/** Packages in the bundle of `client/cli`. */
const BUNDLED = ["commander", "hash-wasm", "js-sha3", "standardwebhooks", "viem"];
/** How numbers are written, whatever they count. */
const OUTPUT_TEXT = "terms/output-text";
/** The entry points, which may import every domain. */
const DOORS = ["rest", "trpc", "host", "ops", "metrics"].map((room) => `server/${room}`);

/** The floors of `app`, from the lowest. A file is on the first that matches. */
const APP_FLOORS = [
  /^app\/data\//,
  /^app\/ui\//,
  // What the console's screens share.
  /^app\/\(console\)\/[^/]+$/,
  // The screens.
  /^app\/\(console\)\/(?!shell\/|search\/)/,
  /^app\/\(console\)\/shell\//,
  /^app\/\(console\)\/search\//,
  // Pages for anyone, and what Next starts with.
  /^app\//,
];
const appFloor = (file: string) => APP_FLOORS.findIndex((floor) => floor.test(file));
/** A layout puts the floors together. */
const isLayout = (file: string) => /\/layout\.tsx$/.test(file);

export const IMPORT_RULES: ImportRule[] = [
  {
    words:
      "`db` is the lowest floor and imports none of our other folders. Pass in what it needs, or move the file to `server`.",
    forbids: ({ from, to }) => inFolder(from, "db") && !isTest(from) && isOurs(to) && !inFolder(to, "db"),
  },
  {
    words: "`server` never imports `app`. Move what they share into `server`.",
    forbids: ({ from, to }) => inFolder(from, "server") && !isTest(from) && inFolder(to, "app"),
  },
  {
    words:
      "`server/kernel` knows no domain. Pass in what it needs, or move what every domain needs into the kernel.",
    forbids: ({ from, to }) =>
      inFolder(from, "server/kernel") &&
      !isTest(from) &&
      inFolder(to, "server") &&
      !inFolder(to, "server/kernel"),
  },
  {
    words:
      "A domain does not know who calls it. Move what it shares with an entry point down into the domain or the kernel.",
    forbids: ({ from, to }) =>
      inFolder(from, "server") && !isTest(from) && !inFolder(from, ...DOORS) && inFolder(to, ...DOORS),
  },
  {
    words: "`app` has no SQL. Call a verb of `server` through the router instead of `db`.",
    forbids: ({ from, to, isType }) => inFolder(from, "app") && inFolder(to, "db") && !isType,
  },
  {
    words:
      "Only `app`, `server/host`, `server/launch/collect.mjs`, `server/auth/staff-session.ts`, its cookies, and the console's endpoint and caller may import Next and next-auth. Pass in the plain value.",
    forbids: ({ from, to }) =>
      !inFolder(from, "app") &&
      !isTest(from) &&
      isPackage(to, "next", "next-auth", "server-only", "react", "react-dom") &&
      !KNOWS_NEXT.test(from),
  },
  {
    words:
      "Only `router.ts` files, `auth/procedures.ts`, `server/trpc`, `server/rest` and `app` may import tRPC. A verb takes (ctx, input) and throws DomainError, so that a script can call it.",
    forbids: ({ from, to }) =>
      !inFolder(from, "app") &&
      !isTest(from) &&
      (/^@trpc\//.test(to) || to === "trpc-to-openapi" || to === PROCEDURES) &&
      !KNOWS_TRPC.test(from) &&
      !KNOWS_NEXT.test(from),
  },
  {
    words:
      "`batches` imports `ledger`, never the reverse. The ledger knows accounts and transfers, not how batches are submitted or listed.",
    forbids: ({ from, to }) =>
      inFolder(from, "server/ledger") && !isTest(from) && inFolder(to, "server/batches"),
  },
  {
    words:
      "`terms` is a floor under the server, the console and the client: what runs everywhere and knows no database. It imports none of our other folders, and packages that run anywhere.",
    forbids: ({ from, to }) =>
      inFolder(from, "terms") && !isTest(from) && !inFolder(to, "terms") && !isPackage(to, ...PURE_PACKAGES),
  },
  {
    words:
      "The browser loads this file too, so it imports only terms, zod and other files that say the same.",
    forbids: ({ from, to, isType }) =>
      PURE.test(from) && !isType && !(isPackage(to, ...PURE_PACKAGES) || isPure(`${to}.ts`)),
  },
  {
    words: "`client` is published alone and without dependencies. It imports only its folder and `terms`.",
    forbids: ({ from, to }) =>
      inFolder(from, "client/src") && !isTest(from) && !inFolder(to, "client/src", "terms"),
  },
  {
    words:
      "The client's command line is bundled alone, by callers: it imports the client, `terms`, and packages without a server.",
    forbids: ({ from, to }) =>
      inFolder(from, "client/cli") &&
      !isTest(from) &&
      !inFolder(to, "client/src", "client/cli") &&
      (isOurs(to) ? !inFolder(to, "terms") : !(to.startsWith("node:") || isPackage(to, ...BUNDLED))),
  },
  {
    words: "`server` and `db` never import `client`, which is for callers of the service. `app` may.",
    forbids: ({ from, to }) => inFolder(from, "server", "db") && !isTest(from) && inFolder(to, "client"),
  },
  {
    words: "Production code never imports a test or `testing`.",
    forbids: ({ from, to }) =>
      !isTest(from) && (inFolder(to, "testing", "client/src/testing") || /\.test$/.test(to)) && isOurs(to),
  },
  {
    words:
      "A `loading.tsx` is sent beside its page, and everything it imports is sent a second time. It imports `app/ui` and frames of its own screen; the page imports its skeleton from it.",
    forbids: ({ from, to, isType }) =>
      /\/loading\.tsx$/.test(from) &&
      !isType &&
      inFolder(to, "app") &&
      !inFolder(to, "app/ui") &&
      !/\/(?:\w+-head|frame)$/.test(to),
  },
  {
    words:
      "Inside `app`, imports only go down: from pages for anyone to the console's search, its shell, its screens, what they share (the files directly in `app/(console)`), `app/ui` and `app/data`. Move down what both need, or pass it in.",
    forbids: ({ from, to }) =>
      inFolder(from, "app") &&
      !isTest(from) &&
      !isLayout(from) &&
      inFolder(to, "app") &&
      appFloor(to) > appFloor(from),
  },
  {
    words: "Components in `app/ui` know no domain. Pass the value in.",
    forbids: ({ from, to, isType }) =>
      inFolder(from, "app/ui") && inFolder(to, "server", "terms", "db") && !isType && to !== OUTPUT_TEXT,
  },
];

/** Files of the server that the browser would load: reached from a client file, but not pure. */
export function loadedByBrowser(arrows: readonly Import[], clientFiles: readonly string[]): string[] {
  const reached = new Set<string>();
  const open = [...clientFiles];
  for (let file = open.pop(); file; file = open.pop()) {
    for (const { from, to, isType } of arrows) {
      if (isType || from !== file || !isOurs(to)) continue;
      for (const next of [`${to}.ts`, `${to}.tsx`]) {
        if (reached.has(next)) continue;
        reached.add(next);
        open.push(next);
      }
    }
  }
  const known = new Set(arrows.map(({ from }) => from));
  return [...reached].filter((file) => inFolder(file, "server", "db") && known.has(file) && !isPure(file));
}

/** The forbidden imports, each with an explanation. */
export function forbiddenImports(arrows: readonly Import[]): string[] {
  return arrows.flatMap((arrow) =>
    IMPORT_RULES.filter((rule) => rule.forbids(arrow)).map(
      (rule) => `${arrow.from} → ${arrow.to}\n    ${rule.words}`,
    ),
  );
}

/** A file's folder; in `app`, where folders are also paths, its screen. */
const folderOf = (file: string) =>
  /^app\/(?:\(console\)\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? file.slice(0, Math.max(0, file.lastIndexOf("/")));

const ROOTS = ["app", "server", "db"];

/** Folders that import each other, directly or indirectly: `["server/a", "server/b"]` per cycle. */
export const folderCycles = (arrows: readonly Import[]): string[][] =>
  cycles(
    arrows
      .filter(({ from, to }) => inFolder(from, ...ROOTS) && inFolder(to, ...ROOTS))
      .filter(({ from }) => !isTest(from) && !isLayout(from))
      .map(({ from, to }) => [folderOf(from), folderOf(to)]),
  );

/** Files that import each other, directly or indirectly, without extensions. */
export const fileCycles = (arrows: readonly Import[]): string[][] =>
  cycles(arrows.map(({ from, to }) => [from.replace(SOURCE, ""), to]));

function cycles(pairs: readonly (readonly [from: string, to: string])[]): string[][] {
  const neighbours = new Map<string, Set<string>>();
  for (const [from, to] of pairs)
    if (from !== to) neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to));
  const reach = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const next of neighbours.get(at) ?? []) {
        if (!seen.has(next)) open.push(next);
        seen.add(next);
      }
    return seen;
  };
  const reached = new Map([...neighbours.keys()].map((one) => [one, reach(one)]));
  const inCircle = [...reached.keys()].filter((one) => reached.get(one)!.has(one)).sort();
  const circles = new Map<string, string[]>();
  for (const one of inCircle) {
    const circle = inCircle.filter(
      (other) => other === one || (reached.get(one)!.has(other) && reached.get(other)!.has(one)),
    );
    circles.set(circle.join(), circle);
  }
  return [...circles.values()];
}
