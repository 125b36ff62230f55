import type { Token } from "marked";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { RouteProps } from "@/app/data/page-props";
import { isHeading, PageText, parsePage } from "@/app/docs/markdown";
import { type ContentsGroup, DocsPage } from "@/app/docs/navigation";
import { fileOf, GUIDE_NAMES, GUIDES, type GuideName, isGuide, readGuide } from "@/server/guides/guides";

export async function generateMetadata({ params }: RouteProps<"guide">): Promise<Metadata> {
  const { guide } = await params;
  if (!isGuide(guide)) return {};
  const [title, description] = GUIDES[guide];
  return { title, description, alternates: { types: { "text/markdown": `/docs/${guide}.md` } } };
}

export default async function GuidePage({ params }: RouteProps<"guide">) {
  const { guide } = await params;
  if (!isGuide(guide)) notFound();
  const page = parsePage(fileOf(guide), readGuide(guide));
  return (
    <DocsPage button="Guides" groups={contents(guide, page)}>
      <article className="mx-auto max-w-[860px] pt-10">
        <PageText tokens={page} />
        <p className="mt-12 border-line border-t pt-4 hint">
          <a href={`/docs/${guide}.md`} className="underline underline-offset-2 hover:text-text">
            This page as Markdown
          </a>
        </p>
      </article>
    </DocsPage>
  );
}

/** The navigation of a guide: all guides, with the sections of this one below its own entry. */
const contents = (current: GuideName, page: Token[]): ContentsGroup[] => [
  {
    name: "Start",
    entries: [
      { href: "/docs#quick-start", name: "Quick start" },
      { href: "/docs#introduction", name: "API reference" },
      { href: "/docs/errors", name: "Error codes" },
    ],
  },
  {
    name: "Guides",
    entries: GUIDE_NAMES.map((name) => ({
      href: `/docs/${name}`,
      name: GUIDES[name][0],
      ...(name === current && {
        sections: page
          .filter(isHeading)
          .filter(({ depth }) => depth === 2)
          .map(({ id, text }) => ({ href: `#${id}`, name: text })),
      }),
    })),
  },
];
