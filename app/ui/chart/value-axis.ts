import { scaleLinear } from "d3-scale";
import { type PlotSeries, positionOf } from "./plot-series";

const TICKS_WANTED = 4;
/** From here on a compact number would be a row of zeros: `100,000,000T`. */
const SCIENTIFIC_FROM = 1e15;

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 4 });
const scientific = new Intl.NumberFormat("en-US", { notation: "scientific", maximumSignificantDigits: 4 });

export interface ValueTick {
  label: string;
  /** Share of the axis' height, from 0 at its foot to 1. */
  at: number;
}

export interface ValueAxis {
  /** The value at the axis' head: a round number above every value. */
  top: number;
  ticks: ValueTick[];
}

/** A value axis from 0, with few round ticks; whole ones when every value is whole. */
export function valueAxis(series: readonly PlotSeries[], isStacked: boolean): ValueAxis {
  const given = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const isWhole = given.every((value) => !value.includes("."));
  const scale = scaleLinear()
    .domain([0, mostOf(series, isStacked) || 1])
    .nice(TICKS_WANTED);
  const top = scale.domain()[1]!;
  const ticks = scale
    .ticks(TICKS_WANTED)
    .filter((tick) => !isWhole || Number.isInteger(tick))
    .map((tick) => ({ label: tickLabel(tick), at: tick / top }));
  return { top, ticks };
}

function mostOf(series: readonly PlotSeries[], isStacked: boolean): number {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  let most = 0;
  for (let index = 0; index < length; index++) {
    const here = series.map(({ values }) => positionOf(values[index] ?? "0"));
    const height = isStacked ? here.reduce((sum, value) => sum + value, 0) : Math.max(...here);
    most = Math.max(most, height);
  }
  return most;
}

function tickLabel(tick: number): string {
  return (tick >= SCIENTIFIC_FROM ? scientific : compact).format(tick);
}
