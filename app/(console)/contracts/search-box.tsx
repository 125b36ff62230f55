"use client";
import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { Input } from "../../ui/field";

const PAUSE_MS = 250;

/** Searches when typing pauses, and keeps the search in the URL. */
export function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Changed by Back or "Clear search".
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }
  const send = () => {
    if (text === sent) return;
    setSent(text);
    onChange(text);
  };
  const sendLater = useEffectEvent(send);
  useEffect(() => {
    if (text === sent) return;
    const timer = setTimeout(() => sendLater(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, sent]);
  return (
    <search className="relative w-full max-w-md">
      <Search aria-hidden size={14} className="absolute top-2.5 left-2.5 text-muted" />
      <Input
        type="search"
        aria-label="Search contracts by label or address"
        placeholder="Label or address"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        // Immediately: the URL must not change while a link is being followed.
        onBlur={send}
        className="pl-8"
      />
    </search>
  );
}
