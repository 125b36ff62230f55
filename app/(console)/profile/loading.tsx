import { PageSkeleton } from "@/app/ui/page-skeleton";

export default function Loading() {
  const blocks = ["h-7 w-40", "h-24", "h-32"];
  return <PageSkeleton label="Loading profile" blocks={blocks} width="max-w-[688px]" />;
}
