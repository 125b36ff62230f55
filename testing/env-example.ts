import { SETTINGS } from "@/server/kernel/env";

/** The text of `.env.example`, from the table of settings: the meaning, then the default, commented out. */
export function envExample(): string {
  const entries = Object.entries(SETTINGS).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined).success ? schema.parse(undefined) : undefined;
    const shown = fallback === true ? "on" : fallback === false ? "off" : (fallback ?? "");
    return `# ${schema.description}\n# ${name}=${shown}\n`;
  });
  return `# Every setting of the service. Copy to .env and change what you need; the values shown are the defaults.\n\n${entries.join("\n")}`;
}
