import { Parser } from "saxen";
import { FileProblem } from "./decode-file";

interface Handlers {
  /** Names come without their namespace prefix; attributes keep it. */
  open?: (name: string, attributes: () => Record<string, string>) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

export const DAMAGED = "The workbook is damaged. Open it in your spreadsheet, save it, and choose it again.";

const local = (name: string) => name.slice(name.indexOf(":") + 1);

/** Declared entities are never expanded. @throws FileProblem */
export function readXml(xml: string, { open, close, text }: Handlers): void {
  const parser = new Parser();
  const decoded = (attributes: Record<string, string>, decode: (text: string) => string) =>
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, decode(value)]));
  if (open)
    parser.on("openTag", (name, attributes, decode) =>
      open(local(name), () => decoded(attributes(), decode)),
    );
  if (close) parser.on("closeTag", (name) => close(local(name)));
  if (text) {
    parser.on("text", (part, decode) => text(decode(part)));
    parser.on("cdata", text);
  }
  parser.on("error", () => {
    throw new FileProblem(DAMAGED);
  });
  parser.parse(xml);
}
