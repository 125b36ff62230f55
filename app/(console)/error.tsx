"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { Failure } from "@/app/ui/failure";

interface ConsoleErrorProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ConsoleError({ error, reset }: ConsoleErrorProps) {
  const router = useRouter();
  // `reset` alone renders the same server response again, so refresh first.
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return <Failure digest={error.digest} onRetry={retry} />;
}
