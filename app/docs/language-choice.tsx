"use client";

import { useEffect, useRef } from "react";

const KEPT_AS = "docs-language";

/** The examples follow the checked button by CSS, without scripts. The browser remembers it. */
export function LanguageChoice({ languages }: { languages: Record<string, string> }) {
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const kept = localStorage.getItem(KEPT_AS);
    for (const button of group.current?.querySelectorAll("input") ?? [])
      if (button.value === kept) button.checked = true;
  }, []);
  return (
    <fieldset
      ref={group}
      className="flex gap-0.5 self-start rounded-control border border-line bg-hover p-0.5"
    >
      <legend className="sr-only">Language of the examples</legend>
      {Object.entries(languages).map(([language, name]) => (
        <label
          key={language}
          className="cursor-pointer rounded-badge px-3 py-1 font-medium text-muted text-table hover:text-text
            has-checked:bg-surface has-checked:text-text has-checked:shadow-sm
            has-focus-visible:outlined has-focus-visible:outline-offset-0"
        >
          <input
            type="radio"
            name="language"
            value={language}
            defaultChecked={language === "curl"}
            onChange={() => localStorage.setItem(KEPT_AS, language)}
            className="sr-only"
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
