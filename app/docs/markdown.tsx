import { marked, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { JsonBlock } from "@/app/docs/try-it";
import { CodeBlock } from "@/app/ui/code-block";
import { ScrollRegion } from "@/app/ui/scroll-region";
import { GUIDE_NAMES, GUIDES } from "@/server/guides/guides";

export interface Heading extends Tokens.Heading {
  /** Its anchor, the same as on GitHub. */
  id: string;
}

export interface Page {
  /** Its links are relative to this path. */
  file: string;
  tokens: Token[];
}

/** Gives the headings their anchors, and their text without marks. */
export function parsePage(file: string, markdown: string): Page {
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
  return { file, tokens };
}

export const isHeading = (token: Token): token is Heading => token.type === "heading";

/** The text of a token, without marks. */
export function plainText(token: Token): string {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .map((row) => row.map((cell) => cell.tokens.map(plainText).join("")).join(" "))
      .join(" ");
  }
  const inner =
    token.type === "list" ? (token as Tokens.List).items : "tokens" in token ? token.tokens : undefined;
  if (inner) return inner.map(plainText).join(token.type === "list" ? " " : "");
  if (token.type === "codespan" || token.type === "code" || token.type === "text" || token.type === "escape")
    return (token as Tokens.Text).text;
  return token.type === "br" || token.type === "space" ? " " : "";
}

/**
 * Where a link leads on this site: a guide, or an address elsewhere. Undefined for files that are not shown here.
 * @param from the file that has the link
 */
export function resolveLink(from: string, href: string): string | undefined {
  if (/^https?:|^#/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${from}`);
  const name = GUIDE_NAMES.find((each) => `/${GUIDES[each].file}` === pathname);
  return name && `/docs/${name}${hash}`;
}

const LINK = "text-accent underline underline-offset-2 hover:text-accent-hover";
/** What the guides write as code because it has no address on GitHub. */
const OWN_PATH = /^\/(?:docs(?:\/[\w-]+)?|v1\/openapi\.json)$/;

function Inline({ tokens = [], file }: { tokens: Token[] | undefined; file: string }): ReactNode {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    <Fragment key={index}>{inline(token, file)}</Fragment>
  ));
}

function inline(token: Token, file: string): ReactNode {
  const inner = "tokens" in token && token.tokens ? <Inline tokens={token.tokens} file={file} /> : null;
  switch (token.type) {
    case "strong":
      return <strong className="font-semibold">{inner}</strong>;
    case "em":
      return <em>{inner}</em>;
    case "codespan": {
      const code = (
        <code className="wrap-anywhere rounded-badge bg-hover px-1 py-px font-mono text-[0.92em]">
          {token.text}
        </code>
      );
      return OWN_PATH.test(token.text) ? (
        <a href={token.text} className={LINK}>
          {code}
        </a>
      ) : (
        code
      );
    }
    case "link": {
      const href = resolveLink(file, token.href);
      return href ? (
        <a href={href} className={LINK}>
          {inner}
        </a>
      ) : (
        inner
      );
    }
    case "br":
      return <br />;
    default:
      return inner ?? (token as Tokens.Text).text;
  }
}

/** A line of Markdown, with links as in a file of `docs`. */
export const InlineMarkdown = ({ text }: { text: string }) => (
  <Inline tokens={marked.Lexer.lexInline(text)} file="docs/quick-start.md" />
);

const HEADINGS = {
  1: "text-[1.75rem]/9",
  2: "mt-6 border-line border-t pt-8 text-title",
  3: "mt-2 text-[1.0625rem]/6",
} as const;

function HeadingPart({ heading, file }: { heading: Heading; file: string }) {
  const depth = Math.min(heading.depth, 3) as keyof typeof HEADINGS;
  const Tag = `h${depth}` as const;
  return (
    <Tag
      id={heading.id}
      className={`max-w-[72ch] scroll-mt-16 text-balance font-semibold max-lg:scroll-mt-28 ${HEADINGS[depth]}`}
    >
      {depth === 1 ? (
        <Inline tokens={heading.tokens} file={file} />
      ) : (
        <a href={`#${heading.id}`} className="group rounded-badge hover:text-accent">
          <Inline tokens={heading.tokens} file={file} />
          <span
            aria-hidden
            className="ml-2 text-muted opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
          >
            #
          </span>
        </a>
      )}
    </Tag>
  );
}

const LANGUAGES: Record<string, string> = { sh: "commands", http: "request", text: "text", json: "JSON" };

/** @param where names the block for screen readers: the heading above it, and its number below that */
function block(token: Token, file: string, where: string): ReactNode {
  switch (token.type) {
    case "paragraph":
    case "text":
      return (
        <p className="max-w-[72ch] text-pretty">
          <Inline tokens={token.tokens ?? [token]} file={file} />
        </p>
      );
    case "code": {
      const what = `${LANGUAGES[token.lang ?? ""] ?? "program"}: ${where}`;
      return token.lang === "json" ? (
        <JsonBlock what={what} text={token.text} />
      ) : (
        <CodeBlock what={what} code={token.text} />
      );
    }
    case "list": {
      const { ordered, items } = token as Tokens.List;
      const Tag = ordered ? "ol" : "ul";
      return (
        <Tag className={`flex max-w-[72ch] flex-col gap-2 pl-5 ${ordered ? "list-decimal" : "list-disc"}`}>
          {items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list have no other identity
            <li key={index} className="marker:text-muted">
              <div className="flex flex-col gap-3">
                <Blocks tokens={item.tokens} file={file} where={`${where}.${index + 1}`} />
              </div>
            </li>
          ))}
        </Tag>
      );
    }
    case "table":
      return <Table table={token as Tokens.Table} file={file} where={where} />;
    case "blockquote":
      return (
        <blockquote className="flex flex-col gap-3 border-line border-l-2 pl-4 text-muted">
          <Blocks tokens={token.tokens ?? []} file={file} where={where} />
        </blockquote>
      );
    default:
      return null;
  }
}

function Table({ table, file, where }: { table: Tokens.Table; file: string; where: string }) {
  return (
    <ScrollRegion
      aria-label={`table: ${where}`}
      className="overflow-x-auto rounded-card border border-line outline-offset-0"
    >
      <table className="w-full text-left text-table max-sm:min-w-[34rem]">
        <thead className="bg-hover/60">
          <tr>
            {table.header.map(({ tokens, text }) => (
              <th key={text} scope="col" className="px-3 py-2 align-top font-medium text-muted">
                <Inline tokens={tokens} file={file} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.map(({ text }) => text).join()} className="border-line border-t align-top">
              {row.map(({ tokens }, column) => (
                <td key={table.header[column]!.text} className="px-3 py-2 first:min-w-40">
                  <Inline tokens={tokens} file={file} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Blocks({ tokens, file, where }: { tokens: Token[]; file: string; where: string }): ReactNode {
  let heading = where;
  let count = 0;
  return tokens.map((token, index) => {
    if (isHeading(token)) [heading, count] = [token.text, 0];
    else if (token.type !== "space") count++;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a page have no other identity
      <Fragment key={index}>
        {isHeading(token) ? (
          <HeadingPart heading={token} file={file} />
        ) : (
          block(token, file, `${heading} ${count}`)
        )}
      </Fragment>
    );
  });
}

export const PageText = ({ page: { file, tokens } }: { page: Page }) => (
  <div className="flex flex-col gap-4 text-body/6">
    <Blocks tokens={tokens} file={file} where="" />
  </div>
);
