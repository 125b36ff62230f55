import { PageSkeleton } from "../../../ui/page-skeleton";

export const ContractSkeleton = () => (
  <PageSkeleton label="Loading contract" blocks={["h-13 w-72", "h-12", ["h-60", "h-60"], "h-72"]} />
);
