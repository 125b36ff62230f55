import { writeGrowthPlot } from "../growth-plot";
import { each, type MeasuredLoad } from "../load/measure-load";
import { median, ratioOf, short, table, withSpread } from "../measure";
import type { Figure, PartReport, Target } from "../report";

export interface ReportedStation {
  name: string;
  isOurs: boolean;
  size: number;
}

export interface ReportedRow {
  name: string;
  /** The ratio of ours to the expert's, at the largest size. */
  expert?: Target;
  /** The cost relative to another row that reads as many batches, at the largest size. */
  beside?: { row: string; target: Target };
}

type Measured = ReadonlyMap<string, ReadonlyMap<string, MeasuredLoad[]>>;
const rates = (rounds: MeasuredLoad[] | undefined) => each(rounds ?? [], "requestsPerSecond");
const costs = (rounds: MeasuredLoad[] | undefined) =>
  (rounds ?? []).map(({ serviceCpuMs, databaseCpuMs }) => serviceCpuMs + databaseCpuMs);

/** The table, figures and plot of the results. */
export function growthReport(
  measured: Measured,
  stations: readonly ReportedStation[],
  growthRows: readonly ReportedRow[],
): PartReport {
  const ours = stations.filter(({ isOurs }) => isOurs);
  const most = ours.at(-1)!;
  const expert = `expert at ${short(most.size)}`;
  const figures: Figure[] = [];
  const rows: string[][] = [];
  for (const [name, sides] of measured) {
    const row = growthRows.find((one) => one.name === name)!;
    const key = `${name.replaceAll(/[ ,]+/g, "-")}`;
    const cells = ours.map((station) => short(median(rates(sides.get(station.name)))));
    const growth = ratioOf(rates(sides.get(ours[0]!.name)), rates(sides.get(most.name)));
    figures.push({
      key: `growth.${key}`,
      what: `${name}: cost at ${short(most.size)} × ${short(ours[0]!.size)}`,
      worse: "higher",
      target: { atMost: 1.3 },
      ...growth,
    });
    const beside = sides.has(expert) ? ratioOf(rates(sides.get(most.name)), rates(sides.get(expert))) : null;
    if (beside)
      figures.push({
        key: `${key}/expert`,
        what: `${name} at ${short(most.size)}: ours × expert`,
        worse: "lower",
        ...beside,
        ...(row.expert && { target: row.expert }),
      });
    const other = row.beside && measured.get(row.beside.row)?.get(most.name);
    if (row.beside && other)
      figures.push({
        key: `${key}/first`,
        what: `${name}: cost × ${row.beside.row.replace("list, ", "")}`,
        worse: "higher",
        target: row.beside.target,
        ...ratioOf(rates(other), rates(sides.get(most.name))),
      });
    const cpu = ours.map((station) => short(median(costs(sides.get(station.name)))));
    rows.push([name, ...cells, cpu.join(" / "), withSpread(growth), beside ? withSpread(beside) : "–"]);
  }
  writeGrowthPlot(
    [...measured].map(([name, sides]) => ({
      name,
      points: ours.map(({ size, name: station }) => ({ size, value: median(costs(sides.get(station))) })),
    })),
  );
  const head = [
    "request, 16 connections",
    ...ours.map(({ name }) => `${name}, requests/s`),
    "CPU ms per request",
    "cost, largest × smallest",
    "× expert",
  ];
  return {
    title: "Reads as the data grows",
    text: `${table(head, rows)}\n\n![Cost of a request by size of the data](growth.svg)`,
    figures,
  };
}
