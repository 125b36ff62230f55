/** `payout`, `payout-2`, `payout-3`; truncated when too long. A month, a day or a padded number at the end is kept. */
export function nextBatchId(id: string, charsMax: number): string {
  const [, base = id, number] = /^(.+)-([1-9]\d?)$/.exec(id) ?? [];
  const isDate = number?.length === 2 && /\d{4}(-\d{2})?$/.test(base);
  const isFirst = number === undefined || isDate;
  const end = isFirst ? "-2" : `-${Number(number) + 1}`;
  return (isFirst ? id : base).slice(0, charsMax - end.length) + end;
}
