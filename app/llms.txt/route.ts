import { GUIDE_NAMES, GUIDES } from "@/server/guides/guides";
import { publicOrigin } from "@/server/kernel/settings";

/** The address is the running process's, not the build's. */
export const dynamic = "force-dynamic";

/** What a language model should read about this service: llmstxt.org. */
export function GET(): Response {
  const origin = publicOrigin();
  const link = (name: string, path: string, about: string) => `- [${name}](${origin}${path}): ${about}`;
  const openApi = "Every operation, with this host's limits and examples (OpenAPI 3.1).";
  const text = `# Point transfer batches

> Pays points to many recipients over REST. \
A contract (an EVM address) submits a batch of transfers with a bearer token. \
The batch stays pending until it is due, and can be cancelled until then. \
Then it is finalized, and every recipient is credited exactly once. \
Amounts are decimal strings, never numbers.

Submit with PUT and an ID of your own: repeating the same request never pays twice. \
Without a reply, or after a 5xx, repeat it.

## Guides

${[
  link("Quick start", "/docs/quick-start.md", "From a token to a receipt, in curl, TypeScript and Python."),
  ...GUIDE_NAMES.map((name) => link(GUIDES[name][0], `/docs/${name}.md`, GUIDES[name][1])),
].join("\n")}

## Reference

${link("OpenAPI document", "/v1/openapi.json", openApi)}
${link("Errors", "/docs/errors", "Every error code: when it happens, and what to do.")}
`;
  return new Response(text, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
