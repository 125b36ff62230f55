import { WebhooksSkeleton } from "../../webhooks/webhooks-skeleton";

export default function Loading() {
  return (
    <div className="mx-auto w-full max-w-[1200px]">
      <WebhooksSkeleton />
    </div>
  );
}
