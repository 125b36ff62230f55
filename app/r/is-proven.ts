import { LEAF_TYPES, leafOf } from "@/server/receipts/leaf";
import type { ReceiptOut } from "@/server/receipts/receipt-schema";
import type { WalletTransfer } from "@/server/receipts/wallet-schema";

/**
 * Whether a root proves what the page shows. The leaf is made from that, not taken from the receipt, which gives only the
 * position and the proof.
 */
export async function isProven(
  address: string,
  transfer: WalletTransfer,
  { position, proof }: Pick<ReceiptOut, "position" | "proof">,
  root: string,
): Promise<boolean> {
  const { StandardMerkleTree } = await import("@openzeppelin/merkle-tree");
  const leaf = leafOf(transfer, { toAddress: address, points: transfer.points }, position);
  return StandardMerkleTree.verify(root, [...LEAF_TYPES], leaf, proof);
}
