import { PageSkeleton } from "../../../ui/page-skeleton";

export const WebhooksSkeleton = () => (
  <PageSkeleton label="Loading webhooks" blocks={["h-7 w-48", "h-28", "h-72"]} />
);
