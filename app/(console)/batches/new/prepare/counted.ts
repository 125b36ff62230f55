import { formatAmount } from "../../../../ui/amount";

export const counted = (number: number, one: string, many: string) =>
  `${formatAmount(String(number))} ${number === 1 ? one : many}`;
