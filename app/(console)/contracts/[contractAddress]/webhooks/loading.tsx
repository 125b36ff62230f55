export { WebhooksSkeleton as default } from "@/app/(console)/contracts/webhooks/webhooks-view";
