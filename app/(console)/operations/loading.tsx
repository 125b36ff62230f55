import { PageSkeleton } from "@/app/ui/page-skeleton";

const BLOCKS = ["h-8 w-40", "h-26", "h-[340px]", "h-[310px]", ["h-[310px]", "h-[310px]"], "h-48"] as const;

export default function Loading() {
  return <PageSkeleton label="Loading operations" blocks={BLOCKS} width="max-w-none" />;
}
