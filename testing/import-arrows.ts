import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const SOURCE = /\.(?:ts|tsx|mts|mjs)$/;
const SKIPPED = new Set(["node_modules", "dist", ".next", ".git", ".data"]);
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^"'`;]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

export interface Arrow {
  /** Path from the project's root, with forward slashes. */
  from: string;
  /** A path within the project without its extension, or the name of a package. */
  to: string;
  /** Whether only types are taken: such an import is gone when the code runs. */
  isType: boolean;
}

/** The imports that a file's text names. */
export function importsOf(from: string, text: string): Arrow[] {
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

/** Every import of the project's own source files below some folders. */
export function readArrows(root: string, folders: readonly string[]): Arrow[] {
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

export interface ArrowRule {
  /** What to do instead, for the person who reads the failure. */
  words: string;
  forbids(arrow: Arrow): boolean;
}

const isOurs = (to: string) => /^(?:app|server|db|testing|e2e|bench|client)\//.test(to);
const isTest = (from: string) => /\.test\.tsx?$|^(?:client\/src\/)?testing\/|^e2e\//.test(from);
const inFolder = (file: string, ...folders: string[]) =>
  folders.some((folder) => file.startsWith(`${folder}/`));
const isPackage = (to: string, ...names: string[]) =>
  names.some((name) => to === name || to.startsWith(`${name}/`));

/** Files that know Next or next-auth, besides `app` (docs/architecture.md). */
const KNOWS_NEXT =
  /^server\/(?:host\/|auth\/(?:staff-session|session-cookies)\.|trpc\/(?:console-door|caller)\.)/;
/** Files that know tRPC: routers, the procedures they are made of, and the doors. */
const KNOWS_TRPC =
  /^server\/(?:.*\/)?(?:console-)?router\.ts$|^server\/(?:trpc|rest)\/|^server\/auth\/(?:procedures|at-once)\.ts$|^server\/host\/answer-cron\.ts$|^server\/kernel\/to-(?:domain-error|field-errors)\.ts$/;
const PROCEDURES = "server/auth/procedures";
/** Pure files: the browser may share them, so they import zod at most, and each other. */
const PURE =
  /^server\/(?:kernel\/(?:values\/(?!(?:addresses|batch-rows)\.)[\w-]+|context|cursor|batch-limits|outbox\/events)|batches\/(?:list\/console-schema|submit\/(?:digest|row-rules|transfer-rules))|webhooks\/(?:bounds|schema))\.ts$/;
/** The rooms that know every domain: bytes in, bytes out. */
const DOORS = ["rest", "trpc", "host", "ops", "tracing", "metrics"].map((room) => `server/${room}`);

export const ARROW_RULES: ArrowRule[] = [
  {
    words:
      "`db` is the ground floor and imports nothing of ours: pass in what it needs, or move the file to `server`.",
    forbids: ({ from, to }) => inFolder(from, "db") && !isTest(from) && isOurs(to) && !inFolder(to, "db"),
  },
  {
    words:
      "`server` never imports `app`: doors know rooms, not the other way round. Move what is shared into `server`.",
    forbids: ({ from, to }) => inFolder(from, "server") && !isTest(from) && inFolder(to, "app"),
  },
  {
    words:
      "`server/kernel` knows no domain: pass in what it needs, or move what every domain needs into the kernel.",
    forbids: ({ from, to }) =>
      inFolder(from, "server/kernel") &&
      !isTest(from) &&
      inFolder(to, "server") &&
      !inFolder(to, "server/kernel"),
  },
  {
    words:
      "A domain does not know who calls it: move what it shares with a door down, into the domain or the kernel.",
    forbids: ({ from, to }) =>
      inFolder(from, "server") && !isTest(from) && !inFolder(from, ...DOORS) && inFolder(to, ...DOORS),
  },
  {
    words: "`app` has no SQL: call a verb of `server` (through the router) instead of `db`.",
    forbids: ({ from, to, isType }) => inFolder(from, "app") && inFolder(to, "db") && !isType,
  },
  {
    words:
      "Only `app`, `server/host`, `server/auth/staff-session.ts`, its cookies and the console's door and caller know Next and next-auth: pass in the plain value.",
    forbids: ({ from, to }) =>
      !inFolder(from, "app") &&
      !isTest(from) &&
      isPackage(to, "next", "next-auth", "server-only", "react", "react-dom") &&
      !KNOWS_NEXT.test(from),
  },
  {
    words:
      "Only `router.ts` files, `auth/procedures.ts`, `server/trpc`, `server/rest` and `app` know tRPC: a verb takes (ctx, input) and throws DomainError, so that a script can call it.",
    forbids: ({ from, to }) =>
      !inFolder(from, "app") &&
      !isTest(from) &&
      (/^@trpc\//.test(to) || to === "trpc-to-openapi" || to === PROCEDURES) &&
      !KNOWS_TRPC.test(from) &&
      !KNOWS_NEXT.test(from),
  },
  {
    words:
      "`batches → ledger`, never back: the ledger knows accounts and transfers, not how batches are submitted or listed.",
    forbids: ({ from, to }) =>
      inFolder(from, "server/ledger") && !isTest(from) && inFolder(to, "server/batches"),
  },
  {
    words: "Pure files import zod or js-sha3 at most, and other pure files: the browser shares them.",
    forbids: ({ from, to, isType }) =>
      PURE.test(from) && !isType && !(isPackage(to, "zod", "js-sha3") || PURE.test(`${to}.ts`)),
  },
  {
    words:
      "`client` is a package of its own, published without the rest and without dependencies: it imports nothing outside its folder.",
    forbids: ({ from, to }) => inFolder(from, "client/src") && !isTest(from) && !inFolder(to, "client/src"),
  },
  {
    words: "`server` and `db` never import `client`: it is for those who call the service; `app` may.",
    forbids: ({ from, to }) => inFolder(from, "server", "db") && !isTest(from) && inFolder(to, "client"),
  },
  {
    words: "Code that runs never imports a test or `testing`.",
    forbids: ({ from, to }) =>
      !isTest(from) && (inFolder(to, "testing", "client/src/testing") || /\.test$/.test(to)) && isOurs(to),
  },
  {
    words: "The browser's components (`app/ui`) know no domain word: pass the value in.",
    forbids: ({ from, to, isType }) => inFolder(from, "app/ui") && inFolder(to, "server", "db") && !isType,
  },
];

/** The arrows that the rules forbid, with words that explain. */
export function forbiddenArrows(arrows: readonly Arrow[]): string[] {
  return arrows.flatMap((arrow) =>
    ARROW_RULES.filter((rule) => rule.forbids(arrow)).map(
      (rule) => `${arrow.from} → ${arrow.to}\n    ${rule.words}`,
    ),
  );
}

const folderOf = (file: string) => file.slice(0, Math.max(0, file.lastIndexOf("/")));

/** Rooms of `server` and `db` that import each other, directly or around: `["server/a", "server/b"]` for each such circle. */
export function folderCircles(arrows: readonly Arrow[]): string[][] {
  const neighbours = new Map<string, Set<string>>();
  for (const { from, to } of arrows) {
    if (isTest(from) || !inFolder(from, "server", "db") || !inFolder(to, "server", "db")) continue;
    const [room, next] = [folderOf(from), folderOf(to)];
    if (room !== next) neighbours.set(room, (neighbours.get(room) ?? new Set()).add(next));
  }
  const reach = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [start];
    for (let room = open.pop(); room !== undefined; room = open.pop())
      for (const next of neighbours.get(room) ?? []) {
        if (!seen.has(next)) open.push(next);
        seen.add(next);
      }
    return seen;
  };
  const reached = new Map([...neighbours.keys()].map((room) => [room, reach(room)]));
  const inCircle = [...reached.keys()].filter((room) => reached.get(room)!.has(room)).sort();
  const circles = new Map<string, string[]>();
  for (const room of inCircle) {
    const circle = inCircle.filter(
      (other) => other === room || (reached.get(room)!.has(other) && reached.get(other)!.has(room)),
    );
    circles.set(circle.join(), circle);
  }
  return [...circles.values()];
}
