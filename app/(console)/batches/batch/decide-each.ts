/**
 * Decides about each batch and removes it from those that are left. One that somebody else has decided about
 * meanwhile does not keep the others from it.
 * @throws the first error, after all were tried
 */
export async function decideEach(left: Set<string>, decide: (batchId: string) => Promise<unknown>) {
  const errors: unknown[] = [];
  for (const batchId of [...left])
    try {
      await decide(batchId);
      left.delete(batchId);
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
}
