"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { ErrorState } from "../../../ui/error-state";

export function ForecastError() {
  const router = useRouter();
  return (
    <ErrorState
      title="The forecast is not available"
      detail="The service is busy, or this contract has too many batches to add up in time."
      onRetry={() => startTransition(() => router.refresh())}
    />
  );
}
