"use client";
import { Fragment } from "react";

const TOKEN = /("(?:[^"\\]|\\.)*"(?:\s*:)?|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b)/;

function look(token: string): string | undefined {
  if (token.startsWith('"')) return token.endsWith(":") ? undefined : "text-finalized";
  return /^(?:-?\d|true$|false$|null$)/.test(token) ? "text-finalizing" : undefined;
}

/** JSON with syntax highlighting. */
export function JsonText({ text }: { text: string }) {
  return text.split(TOKEN).map((token, index) => {
    const key = `${index}`;
    const className = look(token);
    return className ? (
      <span key={key} className={className}>
        {token}
      </span>
    ) : (
      <Fragment key={key}>{token}</Fragment>
    );
  });
}
