import { existsSync, readFileSync } from "node:fs";

/** Written by the build: every route of Next, by its file. */
const MANIFEST = ".next/app-path-routes-manifest.json";

type Route = { template: string; pattern: RegExp };

/** By Next's templates. `/v1` counts its own requests, and the page for unknown paths is `unknown`. */
export function routesOf(templates: readonly string[]): Route[] {
  const parameters = ({ template }: Route) => template.split("[").length;
  return (
    templates
      .filter((template) => !/^\/(?:_|v1|\[)/.test(template))
      // `/livez` and similar routes have a catch-all that answers 404 for paths below them.
      .map((template) => template.replace(/\/\[\[\.\.\.\w+\]\]$/, ""))
      .map((template) => ({
        template,
        pattern: new RegExp(`^${template.replace(/\[\.\.\.\w+\]/, ".+").replaceAll(/\[\w+\]/g, "[^/]+")}$`),
      }))
      // `/contracts/statements` before `/contracts/[contractAddress]`.
      .sort((one, other) => parameters(one) - parameters(other))
  );
}

let known: Route[] | undefined;

function builtRoutes(): Route[] {
  known ??= routesOf(existsSync(MANIFEST) ? Object.values(JSON.parse(readFileSync(MANIFEST, "utf8"))) : []);
  return known;
}

/** The template of a path, so that invented paths create no labels. In development it may be `unknown`. */
export function pageRoute(target: string, routes = builtRoutes()): string {
  const path = target.split("?", 1)[0]!;
  if (path.startsWith("/_next/")) return "/_next";
  return routes.find(({ pattern }) => pattern.test(path))?.template ?? "unknown";
}
