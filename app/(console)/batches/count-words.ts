import { counted } from "@/app/ui/amount";

/** `1 batch`, `1,204 batches`. */
export const batchesOf = (count: number) => counted(count, "batch", "batches");

export const transfersOf = (count: number) => counted(count, "transfer", "transfers");
