import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isReached, type KeptFigures } from "./figures";
import { table, withSpread } from "./measure";

const FILE = "docs/benchmarks.md";
const FROM = "<!-- Made by `npm run bench`: written between the two marks. -->";
const TO = "<!-- End of what the bench writes. -->";

/** Writes the results into docs/benchmarks.md, and keeps the hand-written text around them. */
export function writeBenchmarks(kept: KeptFigures): void {
  const made = `${FROM}\n\n${machineText(kept)}\n\n${targetsText(kept)}\n\n${partsText(kept)}\n\n${TO}`;
  const text = existsSync(FILE) ? readFileSync(FILE, "utf8") : `# Benchmarks\n\n${FROM}\n${TO}\n`;
  const [before, after] = [text.indexOf(FROM), text.indexOf(TO)];
  if (before === -1 || after === -1) throw new Error(`${FILE} has no marks to write between.`);
  writeFileSync(FILE, text.slice(0, before) + made + text.slice(after + TO.length));
}

function machineText({ machine }: KeptFigures): string {
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`);
  return `Machine: ${machine.cores} cores (${machine.cpu}), ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}. ${versions.join(", ")}.`;
}

/** The targets that are missed. The tables of the parts show what the others measure. */
function targetsText({ parts }: KeptFigures): string {
  const figures = Object.values(parts).flatMap(({ figures }) => figures.filter(({ target }) => target));
  const rows = figures
    .filter((figure) => !isReached(figure))
    .map((figure) => {
      const { atLeast, atMost } = figure.target!;
      return [figure.what, atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`, withSpread(figure)];
    });
  const reached = `${figures.length - rows.length} of ${figures.length} targets are reached; \`bench/figures.json\` has all of them.`;
  if (rows.length === 0) return `## Targets\n\n${reached}`;
  return `## Targets\n\n${reached} These are missed:\n\n${table(["work", "target", "measured"], rows)}`;
}

function partsText({ parts }: KeptFigures): string {
  return Object.entries(parts)
    .map(([name, part]) => {
      const origin = `\`npm run bench -- ${name}\`, ${part.at.slice(0, 16).replace("T", " ")} UTC, commit ${part.commit}, ${part.rounds === 1 ? "1 round" : `${part.rounds} rounds`}, machine load ${part.load.join(" before, ")} after.`;
      return `## ${part.title}\n\n${origin}\n\n${part.text}`;
    })
    .join("\n\n");
}
