"use client";
import { CodeBlock } from "../../ui/code-block";
import { useOrigin } from "../use-origin";

export function BaseAddress({ origin }: { origin: string }) {
  return <CodeBlock what="base URL" wraps code={useOrigin(origin)} />;
}
