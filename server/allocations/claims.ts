/** What one address may claim, in base units. The index is its place in address order, from 0. */
export interface Claim {
  index: number;
  address: Buffer;
  amount: bigint;
}

/** All claims in address order, in parts. May be called again for another pass. */
export type ReadClaims = () => AsyncIterable<readonly Claim[]>;
