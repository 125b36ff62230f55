export interface PlotSeries {
  name: string;
  /** One decimal string for each instant, 0 or more; null where nothing is known: the line has a gap there. */
  values: readonly (string | null)[];
}

/** As many colours as a plot has; more lines than that cannot be told apart. */
export const SERIES_MAX = 5;

export const seriesColour = (index: number) => `var(--plot-${index + 1})`;

/** Where an amount stands. Only positions may pass through a float: what is printed comes from the string. */
export const positionOf = (value: string) => Number(value);
