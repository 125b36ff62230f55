import { randomUUID } from "node:crypto";
import type { RouteProps } from "@/app/data/page-props";
import { resolveLink } from "@/app/docs/markdown";
import { quickStartMarkdown } from "@/app/docs/quick-start";
import { fileOf, isGuide, readGuide } from "@/server/guides/guides";
import { pathNotFound, problemReply } from "@/server/kernel/problem-reply";

/** `/docs/{guide}.md`, by the rewrite in next.config.mjs. */
export async function GET(_: Request, { params }: RouteProps<"guide">): Promise<Response> {
  const text = textOf((await params).guide);
  if (text === null) return problemReply(pathNotFound(), randomUUID());
  return new Response(text, { headers: { "Content-Type": "text/markdown; charset=utf-8" } });
}

function textOf(guide: string): string | null {
  if (guide === "quick-start") return quickStartMarkdown();
  return isGuide(guide) ? withOwnLinks(fileOf(guide), readGuide(guide)) : null;
}

const LINK_TO_FILE = /\[([^\]\n]+)\]\(([^):\s]+\.md(?:#[\w-]+)?)\)/g;

/** Links lead to the guides below `/docs`. Those to other files of the project become plain text. */
const withOwnLinks = (file: string, text: string) =>
  text.replaceAll(LINK_TO_FILE, (_, words: string, href: string) => {
    const path = resolveLink(file, href);
    return path ? `[${words}](${path.replace(/(?=#|$)/, ".md")})` : words;
  });
