import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { RouteProps } from "@/app/data/page-props";
import { readOperations } from "@/app/docs/document";
import { Prose } from "@/app/docs/markdown";
import { DocsPage } from "@/app/docs/navigation";
import { groupEntries, OperationPart } from "@/app/docs/reference-parts";
import { GROUPS, groupPath } from "@/server/rest/document/groups";

/** The host's address comes from the settings of the running process, not of the build. */
export const dynamic = "force-dynamic";

async function findGroup({ params }: RouteProps<"group">) {
  const path = `/docs/reference/${(await params).group}`;
  return GROUPS.find(({ name }) => groupPath(name) === path);
}

export async function generateMetadata(props: RouteProps<"group">): Promise<Metadata> {
  const group = await findGroup(props);
  return group ? { title: `${group.name}, API reference`, description: group.description } : {};
}

export default async function GroupPage(props: RouteProps<"group">) {
  const group = await findGroup(props);
  if (!group) notFound();
  const all = readOperations();
  const operations = all.filter(({ tag }) => tag === group.name);
  return (
    <DocsPage button="Reference" groups={groupEntries(all, group.name)}>
      <div className="mx-auto max-w-[1180px] pt-10">
        <h1 className="pb-2 font-semibold text-[1.75rem]/9">{group.name}</h1>
        <Prose text={group.description} />
        {operations.map((operation) => (
          <OperationPart key={operation.id} operation={operation} operations={operations} />
        ))}
      </div>
    </DocsPage>
  );
}
