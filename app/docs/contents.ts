import { isHeading, type Page } from "@/app/docs/markdown";
import type { ContentsGroup } from "@/app/docs/navigation";
import { GUIDE_NAMES, GUIDES, type GuideName } from "@/server/guides/guides";

/** The navigation of a guide: all guides, with the sections of this one below its own entry. */
export const guideContents = (current: GuideName, page: Page): ContentsGroup[] => [
  {
    name: "Start",
    entries: [
      { href: "/docs#quick-start", name: "Quick start" },
      { href: "/docs#introduction", name: "API reference" },
      { href: "/docs/errors", name: "Error codes" },
    ],
  },
  {
    name: "Guides",
    entries: GUIDE_NAMES.map((name) => ({
      href: `/docs/${name}`,
      name: GUIDES[name].title,
      ...(name === current && {
        sections: page.tokens
          .filter(isHeading)
          .filter(({ depth }) => depth === 2)
          .map(({ id, text }) => ({ href: `#${id}`, name: text })),
      }),
    })),
  },
];
