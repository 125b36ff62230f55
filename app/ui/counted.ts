import { formatCount } from "./amount";

/** `1 batch`, `1,204 batches`. */
export const counted = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
