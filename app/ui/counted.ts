import { formatAmount } from "./amount";

/** `1 batch`, `1,204 batches`. */
export const counted = (count: number, one: string, many: string) =>
  `${formatAmount(String(count))} ${count === 1 ? one : many}`;
