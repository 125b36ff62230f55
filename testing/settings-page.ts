import { z } from "zod";
import { SETTINGS } from "@/server/kernel/env";

type Setting = (typeof SETTINGS)[keyof typeof SETTINGS];

/** The text of `docs/settings.md`, from the table of settings. */
export function settingsPage(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, schema]) =>
      `| \`${name}\` | ${defaultOf(schema).replace(/.+/, "`$&`")} | ${allowed(schema)} ` +
      `| ${(schema.description ?? "").replaceAll("|", "\\|")} |`,
  );
  return `${[
    "# Settings",
    "",
    "Environment variables, read once at startup. An empty one counts as unset. " +
      "If any are invalid, the service does not start, and lists all of them",
    "by name. The build needs none.",
    "",
    "`npm start`, `npm run dev`, `npm run ops` and `npm run seed:demo` also read `.env` " +
      "in the project's folder, with Node 20.12 or newer; an older Node",
    "prints that it does not. Variables that are set override the file. " +
      "A standalone build (`node dist/host.mjs`) does not read `.env`.",
    "",
    "| setting | default | allowed | meaning |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n")}\n`;
}

/** As one writes it in the environment; empty without a default. */
function defaultOf(schema: Setting): string {
  const fallback = schema.safeParse(undefined).data;
  if (typeof fallback === "boolean") return fallback ? "on" : "off";
  return String(fallback ?? "");
}

function allowed(schema: Setting): string {
  const read = (io: "input" | "output") => z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const { minimum, maximum } = read("output");
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  const { enum: words, minLength } = read("input");
  if (words) return words.map((word) => `\`${word}\``).join(", ");
  return minLength !== undefined && minLength > 1 ? `at least ${minLength} characters` : "";
}

/** The text of `.env.example`, from the table of settings: the meaning, then the default, commented out. */
export function envExample(): string {
  const entries = Object.entries(SETTINGS).map(
    ([name, schema]) => `# ${schema.description}\n# ${name}=${defaultOf(schema)}\n`,
  );
  return `\
# Every setting of the service. Copy to .env and change what you need; the values shown are the defaults.

${entries.join("\n")}`;
}
