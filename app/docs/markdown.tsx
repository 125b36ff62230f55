import { marked, type Token, type Tokens } from "marked";
import { createElement, Fragment, type ReactNode } from "react";
import { JsonBlock } from "@/app/docs/try-it";
import { CodeBlock } from "@/app/ui/code-block";
import { ScrollRegion } from "@/app/ui/scroll-region";
import { fileOf, GUIDE_NAMES, GUIDES, isGuide } from "@/server/guides/guides";

export interface Heading extends Tokens.Heading {
  /** Its anchor, the same as on GitHub. */
  id: string;
}

/** Gives the headings their anchors and plain text, and leads the file's links to pages of this site. */
export function parsePage(file: string, markdown: string): Token[] {
  const seen = new Map<string, number>();
  const tokens = marked.lexer(markdown).map((token): Token => {
    if (token.type !== "heading") return token;
    const text = plainText(token);
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return { ...token, text, id: count === 0 ? slug : `${slug}-${count}` };
  });
  marked.walkTokens(tokens, (token) => {
    if (token.type !== "link") return;
    token.href = resolveLink(file, token.href);
    const name = /^\/docs\/([\w-]+)/.exec(token.href ?? "")?.[1] ?? "";
    // On GitHub, pages are named by their files.
    if (token.text === `${name}.md` && isGuide(name))
      token.tokens = [{ type: "text", raw: "", text: GUIDES[name][0] }];
  });
  return tokens;
}

export const isHeading = (token: Token): token is Heading => token.type === "heading";

export function plainText(token: Token): string {
  if (token.type === "list") return (token as Tokens.List).items.map(plainText).join(" ");
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .flatMap((row) => row.map(({ tokens }) => tokens.map(plainText).join("")))
      .join(" ");
  }
  if ("tokens" in token && token.tokens) return token.tokens.map(plainText).join("");
  return "text" in token ? token.text : " ";
}

/** Undefined for files that are not shown here. @param from the file that has the link */
export function resolveLink(from: string, href: string): string | undefined {
  if (/^https?:|^#/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${from}`);
  const name = GUIDE_NAMES.find((each) => `/${fileOf(each)}` === pathname);
  return name && `/docs/${name}${hash}`;
}

/** Many children without keys: they never change. */
const join = (parts: ReactNode[]) => createElement(Fragment, null, ...parts);

const Link = ({ href, children }: { href: string | undefined; children: ReactNode }) =>
  href ? (
    <a href={href} className="text-accent underline underline-offset-2 hover:text-accent-hover">
      {children}
    </a>
  ) : (
    children
  );

/** What the guides write as code because it has no address on GitHub. */
const OWN_PATH = /^\/(?:docs(?:\/[\w-]+)?|v1\/openapi\.json)$/;

function inline(token: Token): ReactNode {
  const inner = "tokens" in token && token.tokens ? join(token.tokens.map(inline)) : null;
  if (token.type === "strong") return <strong className="font-semibold">{inner}</strong>;
  if (token.type === "em") return <em>{inner}</em>;
  if (token.type === "link") return <Link href={token.href}>{inner}</Link>;
  if (token.type === "codespan")
    return (
      <Link href={OWN_PATH.test(token.text) ? token.text : undefined}>
        <code className="code">{token.text}</code>
      </Link>
    );
  return inner ?? (token as Tokens.Text).text;
}

export const InlineText = ({ text }: { text: string }) => join(marked.Lexer.lexInline(text).map(inline));

export const Prose = ({ text }: { text: string }) => blocks(marked.lexer(text));

export const PageText = ({ tokens }: { tokens: Token[] }) => (
  <div className="flex flex-col gap-4">{blocks(tokens)}</div>
);

/** @param where names code and tables for screen readers: the heading above them, with a number */
function blocks(tokens: Token[], where = ""): ReactNode {
  let heading = where;
  let count = 0;
  return join(
    tokens.map((token) => {
      if (!isHeading(token)) return block(token, `${heading} ${token.type === "space" ? count : ++count}`);
      [heading, count] = [token.text, 0];
      return headingPart(token);
    }),
  );
}

const HEADINGS = [
  ["h1", "text-[1.75rem]/9"],
  ["h2", "mt-6 border-line border-t pt-8 text-title"],
  ["h3", "mt-2 text-[1.0625rem]/6"],
] as const;

function headingPart({ depth, id, tokens }: Heading): ReactNode {
  const [Tag, look] = HEADINGS[Math.min(depth, HEADINGS.length) - 1]!;
  const text = join(tokens.map(inline));
  return (
    <Tag
      id={id}
      className={`max-w-[72ch] scroll-mt-16 text-balance font-semibold max-lg:scroll-mt-28 ${look}`}
    >
      {depth === 1 ? (
        text
      ) : (
        <a href={`#${id}`} className="rounded-badge hover:text-accent">
          {text}
        </a>
      )}
    </Tag>
  );
}

function block(token: Token, where: string): ReactNode {
  if (token.type === "paragraph" || token.type === "text")
    return (
      <p className="max-w-[72ch] text-pretty text-body/6">{join((token.tokens ?? [token]).map(inline))}</p>
    );
  if (token.type === "code" && token.lang === "json")
    return <JsonBlock what={`code: ${where}`} text={token.text} />;
  if (token.type === "code") return <CodeBlock what={`code: ${where}`} code={token.text} />;
  if (token.type === "list") {
    const { ordered, items } = token as Tokens.List;
    const marks = ordered ? "list-decimal" : "list-disc";
    const className = `flex max-w-[72ch] flex-col gap-2 pl-5 text-body/6 ${marks}`;
    const parts = items.map((item, index) => (
      <li key={item.raw} className="space-y-3 marker:text-muted">
        {blocks(item.tokens, `${where}.${index + 1}`)}
      </li>
    ));
    return createElement(ordered ? "ol" : "ul", { className }, parts);
  }
  return token.type === "table" ? tablePart(token as Tokens.Table, where) : null;
}

function tablePart({ header, rows }: Tokens.Table, where: string): ReactNode {
  return (
    <ScrollRegion
      aria-label={`table: ${where}`}
      className="overflow-x-auto rounded-card border border-line outline-offset-0"
    >
      <table className="w-full text-left text-table max-sm:min-w-[34rem] [&_code]:wrap-break-word">
        <thead className="bg-hover/60">
          <tr>
            {header.map(({ tokens, text }) => (
              <th key={text} scope="col" className="px-3 py-2 align-top font-medium text-muted">
                {join(tokens.map(inline))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.map(({ text }) => text).join()} className="border-line border-t align-top">
              {row.map(({ tokens }, column) => (
                <td key={header[column]!.text} className="px-3 py-2 first:min-w-40">
                  {join(tokens.map(inline))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
