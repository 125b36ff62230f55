export { RecipientSkeleton as default } from "@/app/(console)/recipients/recipient-view";
