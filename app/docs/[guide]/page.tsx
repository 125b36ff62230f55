import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { guideContents } from "@/app/docs/contents";
import { PageText, parsePage } from "@/app/docs/markdown";
import { DocsPage } from "@/app/docs/navigation";
import { GUIDES, isGuide, readGuide } from "@/server/guides/guides";

interface Props {
  params: Promise<{ guide: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { guide } = await params;
  if (!isGuide(guide)) return {};
  const { title, about } = GUIDES[guide];
  return { title, description: about, alternates: { types: { "text/markdown": `/docs/${guide}.md` } } };
}

export default async function GuidePage({ params }: Props) {
  const { guide } = await params;
  if (!isGuide(guide)) notFound();
  const page = parsePage(GUIDES[guide].file, readGuide(guide));
  return (
    <DocsPage button="Guides" groups={guideContents(guide, page)}>
      <article className="mx-auto max-w-[860px] pt-10">
        <PageText page={page} />
        <p className="mt-12 border-line border-t pt-4 text-label text-muted">
          <a href={`/docs/${guide}.md`} className="underline underline-offset-2 hover:text-text">
            This page as Markdown
          </a>
        </p>
      </article>
    </DocsPage>
  );
}
