import { PageSkeleton } from "@/app/ui/page-skeleton";

export default function WebhooksSkeleton() {
  return <PageSkeleton label="Loading webhooks" blocks={["h-7 w-48", "h-28", "h-72"]} />;
}
