export interface PlotSeries {
  name: string;
  /** One decimal string per instant, 0 or more; null leaves a gap in the line. */
  values: readonly (string | null)[];
}

/** More lines could not be distinguished by color. */
export const SERIES_MAX = 5;

export const seriesColor = (index: number) => `var(--plot-${index + 1})`;

/** Floats are for positions only; printed amounts come from the string. */
export const positionOf = (value: string) => Number(value);
