/** `payout`, `payout-2`, `payout-3`; truncated when too long. A day at the end is no number. */
export function nextBatchId(id: string, charsMax: number): string {
  const [, base = id, number] = /^(.*?)(?:-(\d{1,2}))?$/.exec(id) ?? [];
  const isDay = /\d{4}-\d{2}$/.test(base);
  const isFirst = number === undefined || isDay;
  const end = isFirst ? "-2" : `-${Number(number) + 1}`;
  return (isFirst ? id : base).slice(0, charsMax - end.length) + end;
}
