import { readdirSync, readFileSync } from "node:fs";
import { marked, type Token } from "marked";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { findParts } from "@/app/docs/find-parts";
import { isHeading, PageText, parsePage, plainText } from "@/app/docs/markdown";
import { searchIndex } from "@/app/docs/search-index";
import { fileOf, GUIDE_NAMES, type GuideName, readGuide } from "@/server/guides/guides";

const FILES = ["README.md", "client/README.md", ...readdirSync("docs").map((name) => `docs/${name}`)].filter(
  (file) => file.endsWith(".md"),
);
const pageOf = (file: string) => parsePage(file, readFileSync(file, "utf8"));
const anchorsOf = (file: string) =>
  pageOf(file)
    .filter(isHeading)
    .map(({ id }) => id);

function linksOf(file: string): string[] {
  const links: string[] = [];
  marked.walkTokens(marked.lexer(readFileSync(file, "utf8")), (token: Token) => {
    if (token.type === "link") links.push(token.href);
  });
  return links;
}

test.each(FILES)("every link of %s to another page of the project leads to a heading that exists", (file) => {
  const missing = linksOf(file).filter((href) => {
    if (/^(?:https?|mailto):/.test(href)) return false;
    const { pathname, hash } = new URL(href, `file:///${file}`);
    const target = pathname.slice(1);
    if (!hash) return readFileSync(target).length === 0;
    return !anchorsOf(target).includes(decodeURIComponent(hash.slice(1)));
  });
  expect(missing).toEqual([]);
});

const letters = (text: string) => text.match(/[\p{L}\p{N}]/gu)!.join("");
const textOf = (html: string) => html.replaceAll(/<[^>]*>|&(?:amp|lt|gt|quot|#x27);/g, "");

describe.each(GUIDE_NAMES)("the guide %s", (name) => {
  const page = parsePage(fileOf(name), readGuide(name));
  const html = renderToStaticMarkup(createElement(PageText, { tokens: page }));

  test("shows every word of its file, in order", () => {
    const written = page.map(plainText).join(" ");
    expect(letters(textOf(html)) === letters(written)).toBe(true);
  });

  test("links to guides and addresses only, and names each region once", () => {
    const links = [...html.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href!);
    const isOwn = (href: string) => /^\/(?:docs(?:\/errors)?|v1\/openapi\.json)$/.test(href);
    const isGuide = (href: string) => GUIDE_NAMES.some((each) => href.split("#")[0] === `/docs/${each}`);
    expect(links.filter((href) => !/^(?:https:|#)/.test(href) && !isOwn(href) && !isGuide(href))).toEqual([]);
    const labels = [...html.matchAll(/<section[^>]* aria-label="([^"]*)"/g)].map(([, label]) => label);
    expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([]);
  });
});

describe("the search", () => {
  const found = (text: string) =>
    findParts(searchIndex(), text).map(
      ({ heading, items }) => [heading, items.map(({ href }) => href)] as const,
    );
  const first = (text: string) => Object.fromEntries(found(text).map(([heading, [href]]) => [heading, href]));

  test("finds a word in guides, operations and errors, by group, titles first", () => {
    expect(first("idempotency-key")).toMatchObject({
      Guides: "/docs/api#submit-it",
      Errors: "/docs/errors#idempotency_key_reused",
    });
    expect(first("CANCEL a batch")).toMatchObject({ Guides: "/docs/api#cancel-a-batch" });
    expect(first("dry run")["Quick start"]).toBe("/docs#quick-start");
    expect(first("calendar month").Reference).toMatch(/^\/docs\/reference\/\w+#/);
  });

  test("needs every word, and finds nothing without one", () => {
    expect(found("receipt solidity").flatMap(([, hrefs]) => hrefs)).toContain("/docs/verify#in-solidity");
    expect(found("receipt xylophone")).toEqual([]);
    expect(found("  ")).toEqual([]);
  });

  test("leads to headings that exist", () => {
    const missing = searchIndex()
      .filter(({ group, href }) => group === "Guides" && href.includes("#"))
      .filter(({ href }) => {
        const [path, id] = href.slice("/docs/".length).split("#") as [GuideName, string];
        return !anchorsOf(fileOf(path)).includes(id);
      });
    expect(missing).toEqual([]);
  });
});
