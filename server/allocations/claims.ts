/** What one address gets. */
export interface Claim {
  /** Its place among all claims by address, from 0. */
  index: number;
  address: Buffer;
  /** Base units. */
  amount: bigint;
}

/** The claims by address, packed row by packed row. It may be called again for another pass. */
export type ReadClaims = () => AsyncIterable<readonly Claim[]>;
