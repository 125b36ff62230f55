import { PageSkeleton } from "@/app/ui/page-skeleton";

export default function ContractSkeleton() {
  return <PageSkeleton label="Loading contract" blocks={["h-13 w-72", "h-12", ["h-60", "h-60"], "h-72"]} />;
}
