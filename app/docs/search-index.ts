import { readErrors, readOperations } from "@/app/docs/document";
import { isHeading, parsePage, plainText } from "@/app/docs/markdown";
import { quickStart } from "@/app/docs/quick-start";
import { fileOf, GUIDE_NAMES, GUIDES, type GuideName, readGuide } from "@/server/guides/guides";

export interface FoundPart {
  group: "Quick start" | "Guides" | "Reference" | "Errors";
  title: string;
  /** Where it is: the guide, or the method and path of an operation. */
  place: string;
  href: string;
  text: string;
}

let made: FoundPart[] | undefined;

export function searchIndex(): FoundPart[] {
  made ??= [...ofQuickStart(), ...GUIDE_NAMES.flatMap(ofGuide), ...ofReference(), ...ofErrors()];
  return made;
}

const ofQuickStart = (): FoundPart[] =>
  quickStart().steps.map(({ title, text }) => ({
    group: "Quick start",
    title,
    place: "",
    href: "/docs#quick-start",
    text,
  }));

function ofGuide(name: GuideName): FoundPart[] {
  const [title] = GUIDES[name];
  const parts: FoundPart[] = [];
  for (const token of parsePage(fileOf(name), readGuide(name))) {
    const last = parts.at(-1);
    if (!isHeading(token)) {
      if (last) last.text = `${last.text} ${plainText(token)}`.trim();
      continue;
    }
    const isFirst = token.depth === 1;
    const at = isFirst ? "" : `#${token.id}`;
    const names = isFirst ? { title, place: "" } : { title: token.text, place: title };
    parts.push({ group: "Guides", ...names, href: `/docs/${name}${at}`, text: isFirst ? token.text : "" });
  }
  return parts;
}

const ofReference = (): FoundPart[] =>
  readOperations().map(({ summary, description, method, path, href, parameters, body }) => {
    const fields = [...parameters, ...(body?.shapes.flatMap(({ rows }) => rows) ?? [])];
    const text = [description, ...fields.map((field) => `${field.name}: ${field.description}`)].join(" ");
    return { group: "Reference", title: summary, place: `${method} ${path}`, href, text };
  });

const ofErrors = (): FoundPart[] =>
  readErrors().map(({ code, title, status, when, remedy }) => ({
    group: "Errors",
    title: code,
    place: `${status} ${title}`,
    href: `/docs/errors#${code}`,
    text: `${when} ${remedy}`,
  }));
