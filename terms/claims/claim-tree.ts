import { writeChecksummed } from "./checksummed";

/** What one address may claim, in base units. The index is its place in address order, from 0. */
export interface Claim {
  index: number;
  address: Uint8Array;
  amount: bigint;
}

/** All claims in address order, in parts. May be called again for another pass. */
export type ReadClaims = () => AsyncIterable<readonly Claim[]>;

/** What the host brings: its fastest Keccak-256, and a way to let other work of the process run. */
export interface TreeHost {
  keccak: (bytes: Uint8Array) => Uint8Array;
  pause: () => Promise<unknown>;
}

export interface ClaimTree {
  root: Uint8Array;
  /** A heap of 2n − 1 nodes of 32 bytes, the root first. The children of node i are 2i + 1 and 2i + 2. */
  nodes: Uint8Array;
  /** Where in `nodes` the leaf of each claim is, by the claim's index. */
  positions: Uint32Array;
}

/** The tree that Uniswap's generator makes. */
export interface UniswapTree {
  root: Uint8Array;
  /** From the sorted leaves to the root. */
  layers: Uint8Array[];
  /** Uniswap's index of each claim, by the claim's index. */
  indexes: Uint32Array;
  /** Where in the first layer the leaf of each claim is, by the claim's index. */
  positions: Uint32Array;
}

export const NODE_BYTES = 32;
const ADDRESS_CHARS = 40;
/** About a millisecond of hashing. A request that is served meanwhile waits for several such pieces. */
const STEPS_AT_ONCE = 512;
/** How many items are sorted together, before the sorted runs are merged. */
const RUN_ITEMS = 2048;

/** Where the values are in the bytes that a leaf is the hash of. */
interface LeafForm {
  bytes: number;
  indexAt: number | null;
  addressAt: number;
  amountAt: number;
  /** Hashed twice, no inner node can pass for a leaf. */
  isHashedTwice: boolean;
}

/** The ABI encoding of (address, uint256). */
const OPEN_ZEPPELIN = { bytes: 64, indexAt: null, addressAt: 12, amountAt: 32, isHashedTwice: true };
/** The ABI encoding of (uint256, address, uint256). */
const SABLIER = { bytes: 96, indexAt: 0, addressAt: 44, amountAt: 64, isHashedTwice: true };
/** The packed encoding of (uint256, address, uint256). */
const UNISWAP = { bytes: 84, indexAt: 0, addressAt: 32, amountAt: 52, isHashedTwice: false };

/**
 * The tree of `StandardMerkleTree.of(claims, ["address", "uint256"])` in OpenZeppelin's merkle-tree, with
 * sorted leaves as there.
 * @param count how many claims there are, at least 1
 */
export async function makeClaimTree(host: TreeHost, read: ReadClaims, count: number): Promise<ClaimTree> {
  const leaves = await hashLeaves(host, OPEN_ZEPPELIN, read, count);
  return makeStandardTree(host, leaves);
}

/**
 * The root of a file with the claims in address order: OpenZeppelin's tree, with an index in each leaf. Null
 * where Sablier refuses the file, which needs two recipients and counts in 128 bits.
 */
export async function sablierRoot(
  host: TreeHost,
  read: ReadClaims,
  count: number,
): Promise<Uint8Array | null> {
  let sum = 0n;
  for await (const claims of read()) {
    for (const { amount } of claims) sum += amount;
    await host.pause();
  }
  if (count < 2 || sum >= 2n ** 128n) return null;
  return (await makeStandardTree(host, await hashLeaves(host, SABLIER, read, count))).root;
}

/** The root that Uniswap's merkle-distributor generates from the same claims. */
export const uniswapRoot = async (host: TreeHost, read: ReadClaims, count: number): Promise<Uint8Array> =>
  (await makeUniswapTree(host, read, count)).root;

/** A last node without a neighbour moves up to the next layer as it is. */
export async function makeUniswapTree(host: TreeHost, read: ReadClaims, count: number): Promise<UniswapTree> {
  const indexes = inverse(await orderOfTexts(host, read, count));
  const leaves = await hashLeaves(host, UNISWAP, read, count, (index) => indexes[index]!);
  const order = await orderOfNodes(host, leaves);
  let layer: Uint8Array = new Uint8Array(leaves.length);
  await inParts(host, count, (place) => layer.set(nodeAt(leaves, order[place]!), place * NODE_BYTES));
  const layers = [layer];
  while (layer.length > NODE_BYTES) {
    layer = await layerAbove(host, layer);
    layers.push(layer);
  }
  return { root: layer, layers, indexes, positions: inverse(order) };
}

/** The places of a proof's hashes in the nodes of a `ClaimTree`, the lowest in the tree first. */
export function siblingsOf(position: number): number[] {
  const siblings: number[] = [];
  for (let node = position; node > 0; node = (node - 1) >> 1) siblings.push(node % 2 ? node + 1 : node - 1);
  return siblings;
}

/** The hashes of a claim's proof, the lowest in the tree first. */
export const proofOf = ({ nodes, positions }: ClaimTree, index: number): Uint8Array[] =>
  siblingsOf(positions[index]!).map((sibling) => nodeAt(nodes, sibling));

export function uniswapProofOf({ layers, positions }: UniswapTree, index: number): Uint8Array[] {
  const proof: Uint8Array[] = [];
  let place = positions[index]!;
  for (const layer of layers) {
    const sibling = place ^ 1;
    if (sibling * NODE_BYTES < layer.length) proof.push(nodeAt(layer, sibling));
    place >>= 1;
  }
  return proof;
}

/** Acts for each number below `count`, in order. */
async function inParts({ pause }: TreeHost, count: number, act: (item: number) => void): Promise<void> {
  for (let item = 0; item < count; item++) {
    act(item);
    if ((item + 1) % STEPS_AT_ONCE === 0) await pause();
  }
}

const nodeAt = (nodes: Uint8Array, place: number) =>
  nodes.subarray(place * NODE_BYTES, (place + 1) * NODE_BYTES);

/** The leaves of all claims, in their order. */
async function hashLeaves(
  { keccak, pause }: TreeHost,
  { bytes, indexAt, addressAt, amountAt, isHashedTwice }: LeafForm,
  read: ReadClaims,
  count: number,
  indexOf = (index: number) => index,
): Promise<Uint8Array> {
  const leaves = new Uint8Array(count * NODE_BYTES);
  const encoded = new Uint8Array(bytes);
  const view = new DataView(encoded.buffer);
  let done = 0;
  for await (const claims of read())
    for (const { index, address, amount } of claims) {
      if (index !== done || index >= count) throw miscounted(count, done);
      if (indexAt !== null) view.setUint32(indexAt + 28, indexOf(index));
      encoded.set(address, addressAt);
      writeUint256(view, amountAt, amount);
      const hash = keccak(encoded);
      leaves.set(isHashedTwice ? keccak(hash) : hash, index * NODE_BYTES);
      if (++done % STEPS_AT_ONCE === 0) await pause();
    }
  if (done !== count) throw miscounted(count, done);
  return leaves;
}

const miscounted = (count: number, done: number) =>
  new Error(`Expected ${count} claims in order. What follows the first ${done} is not one of them.`);

function writeUint256(view: DataView, at: number, value: bigint): void {
  for (let word = 3, rest = value; word >= 0; word--, rest >>= 64n)
    view.setBigUint64(at + word * 8, BigInt.asUintN(64, rest));
}

/** A tree of any leaves, with `positions` in their order. They end the heap, the smallest last. */
export async function makeStandardTree(host: TreeHost, leaves: Uint8Array): Promise<ClaimTree> {
  const count = leaves.length / NODE_BYTES;
  const order = await orderOfNodes(host, leaves);
  const nodes = new Uint8Array((2 * count - 1) * NODE_BYTES);
  const positions = new Uint32Array(count);
  await inParts(host, count, (rank) => {
    const position = 2 * count - 2 - rank;
    nodes.set(nodeAt(leaves, order[rank]!), position * NODE_BYTES);
    positions[order[rank]!] = position;
  });
  const hashPair = pairHasher(host);
  await inParts(host, count - 1, (step) => {
    const node = count - 2 - step;
    nodes.set(hashPair(nodes, 2 * node + 1), node * NODE_BYTES);
  });
  return { root: nodeAt(nodes, 0), nodes, positions };
}

async function layerAbove(host: TreeHost, layer: Uint8Array): Promise<Uint8Array> {
  const count = layer.length / NODE_BYTES;
  const above = new Uint8Array(Math.ceil(count / 2) * NODE_BYTES);
  const hashPair = pairHasher(host);
  await inParts(host, Math.ceil(count / 2), (place) => {
    const isAlone = 2 * place + 1 === count;
    above.set(isAlone ? nodeAt(layer, 2 * place) : hashPair(layer, 2 * place), place * NODE_BYTES);
  });
  return above;
}

/** Of two neighbours, the smaller first, so that a proof needs no sides. */
function pairHasher({ keccak }: TreeHost) {
  const pair = new Uint8Array(2 * NODE_BYTES);
  return (nodes: Uint8Array, place: number): Uint8Array => {
    const isSorted = compareBytes(nodes, place, place + 1, NODE_BYTES) <= 0;
    pair.set(nodeAt(nodes, isSorted ? place : place + 1));
    pair.set(nodeAt(nodes, isSorted ? place + 1 : place), NODE_BYTES);
    return keccak(pair);
  };
}

/** Compares two items of the same length, by their places. */
function compareBytes(bytes: Uint8Array, one: number, other: number, length: number): number {
  for (let at = 0; at < length; at++) {
    const difference = bytes[one * length + at]! - bytes[other * length + at]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

const orderOfNodes = (host: TreeHost, nodes: Uint8Array): Promise<Uint32Array> =>
  sortedOrder(host, nodes.length / NODE_BYTES, (one, other) => compareBytes(nodes, one, other, NODE_BYTES));

/** JavaScript's order of the addresses as EIP-55 texts, in which capitals come before all small letters. */
async function orderOfTexts(host: TreeHost, read: ReadClaims, count: number): Promise<Uint32Array> {
  const texts = new Uint8Array(count * ADDRESS_CHARS);
  let done = 0;
  for await (const claims of read())
    for (const { index, address } of claims) {
      writeChecksummed(host.keccak, address, texts, index * ADDRESS_CHARS);
      if (++done % STEPS_AT_ONCE === 0) await host.pause();
    }
  return sortedOrder(host, count, (one, other) => compareBytes(texts, one, other, ADDRESS_CHARS));
}

/** Sorts by merging: nothing is made per item, and other work can run in between. */
async function sortedOrder(
  host: TreeHost,
  count: number,
  compare: (one: number, other: number) => number,
): Promise<Uint32Array> {
  let order = new Uint32Array(count);
  for (let start = 0; start < count; start += RUN_ITEMS) {
    const run = order.subarray(start, start + RUN_ITEMS);
    run.forEach((_, at) => {
      run[at] = start + at;
    });
    run.sort(compare);
    await host.pause();
  }
  let merged = new Uint32Array(count);
  for (let length = RUN_ITEMS; length < count; length *= 2) {
    await inParts(host, count, mergeStep(order, merged, length, compare));
    [order, merged] = [merged, order];
  }
  return order;
}

/** Writes the item of one place at a time, in ascending places. Neighbouring sorted runs become one. */
function mergeStep(
  order: Uint32Array,
  merged: Uint32Array,
  length: number,
  compare: (one: number, other: number) => number,
) {
  let left = 0;
  let right = 0;
  let leftEnd = 0;
  let rightEnd = 0;
  return (place: number) => {
    if (place % (2 * length) === 0) {
      left = place;
      leftEnd = Math.min(place + length, order.length);
      right = leftEnd;
      rightEnd = Math.min(right + length, order.length);
    }
    const isLeft = right === rightEnd || (left < leftEnd && compare(order[left]!, order[right]!) <= 0);
    merged[place] = order[isLeft ? left++ : right++]!;
  };
}

/** Where each item is in an order. */
function inverse(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  order.forEach((item, place) => {
    places[item] = place;
  });
  return places;
}
