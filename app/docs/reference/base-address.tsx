"use client";
import { CodeBlock } from "../../ui/code-block";
import { useOrigin } from "../use-origin";

export function BaseAddress({ origin }: { origin: string }) {
  return <CodeBlock what="base address" wraps code={useOrigin(origin)} />;
}
