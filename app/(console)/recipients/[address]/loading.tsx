import { PageSkeleton } from "@/app/ui/page-skeleton";

export default function RecipientSkeleton() {
  return <PageSkeleton label="Loading recipient" blocks={["h-11 w-80", ["h-32", "h-32"], "h-80"]} />;
}
