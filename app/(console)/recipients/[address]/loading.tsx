export { RecipientSkeleton as default } from "../recipient-skeleton";
