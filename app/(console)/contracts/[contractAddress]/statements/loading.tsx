import { PageSkeleton } from "@/app/ui/page-skeleton";

export default function Loading() {
  const blocks = ["h-7 w-64", "h-9", "h-80"];
  return <PageSkeleton label="Loading statement" blocks={blocks} width="max-w-[960px]" />;
}
