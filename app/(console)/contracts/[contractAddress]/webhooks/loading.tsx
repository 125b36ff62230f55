export { WebhooksSkeleton as default } from "../../webhooks/webhooks-skeleton";
