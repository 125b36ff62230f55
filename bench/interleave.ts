export interface Side<Name extends string, Measured> {
  name: Name;
  run(): Promise<Measured>;
}

/**
 * Runs A B C A B C …, starting each round with another one, so that none always follows the same one.
 * @returns each side's results by round
 */
export async function interleave<Name extends string, Measured>(
  sides: readonly Side<Name, Measured>[],
  rounds: number,
): Promise<Map<Name, Measured[]>> {
  const measured = new Map<Name, Measured[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < sides.length; at++) {
      const side = sides[(at + round) % sides.length]!;
      measured.get(side.name)!.push(await side.run());
    }
  }
  return measured;
}
