import { PageSkeleton } from "../../ui/page-skeleton";

export const RecipientSkeleton = () => (
  <PageSkeleton label="Loading recipient" blocks={["h-11 w-80", ["h-32", "h-32"], "h-80"]} />
);
