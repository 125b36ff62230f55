import type { Metadata } from "next";
import { type OperationView, readDocument, readOperations } from "@/app/docs/document";
import { Prose } from "@/app/docs/markdown";
import { type ContentsGroup, DocsPage } from "@/app/docs/navigation";
import { ownOrigin } from "@/app/docs/quick-start";
import { QuickStart } from "@/app/docs/quick-start-section";
import { Introduction, Limits, OperationPart } from "@/app/docs/reference";
import { settings } from "@/server/kernel/settings";

/** The limits come from the settings of the running process, not of the build. */
export const dynamic = "force-dynamic";

export const metadata: Metadata = { title: "API reference" };

export default function ReferencePage() {
  const document = readDocument();
  const operations = readOperations(document);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const origin = ownOrigin(settings());
  return (
    <DocsPage groups={contents(tags, operations)}>
      <div className="mx-auto max-w-[1180px]">
        <QuickStart settings={settings()} origin={origin} />
        <div className="docs-columns gap-y-8 pt-10 pb-12">
          <Introduction document={document} origin={origin} />
          <Limits settings={settings()} />
        </div>
        {tags.map((tag) => (
          <section key={tag} aria-labelledby={slug(tag)}>
            <div className="flex flex-col gap-2 pt-4 pb-6">
              <h2 id={slug(tag)} className="scroll-mt-20 font-semibold text-title max-lg:scroll-mt-28">
                {tag}
              </h2>
              <Prose text={document.tags.find(({ name }) => name === tag)!.description} />
            </div>
            {operations
              .filter((operation) => operation.tag === tag)
              .map((operation) => (
                <OperationPart key={operation.id} operation={operation} origin={origin} />
              ))}
          </section>
        ))}
      </div>
    </DocsPage>
  );
}

const slug = (tag: string) => `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;

const START = ["Quick start", "Introduction", "Authentication", "Headers", "Limits"];

const contents = (tags: string[], operations: OperationView[]): ContentsGroup[] => [
  {
    name: "Getting started",
    entries: START.map((name) => ({ href: `#${name.toLowerCase().replace(" ", "-")}`, name })),
  },
  ...tags.map((tag) => ({
    name: tag,
    entries: operations
      .filter((operation) => operation.tag === tag)
      .map(({ id, summary, method }) => ({
        href: `#${id}`,
        name: summary,
        mark: method === "DELETE" ? "DEL" : method,
      })),
  })),
];
