/**
 * Moves labels at least `gap` apart, in order, between 0 and `height`. Labels that fit are not moved.
 */
export function spreadLabels(wanted: readonly number[], gap: number, height: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const placed = [...wanted];
  let least = 0;
  for (const index of order) {
    placed[index] = Math.max(placed[index]!, least);
    least = placed[index] + gap;
  }
  let most = height;
  for (const index of order.reverse()) {
    placed[index] = Math.min(placed[index]!, most);
    most = placed[index] - gap;
  }
  return placed;
}
