import { inDocument, openProcedure, router, staffChange, staffQuery } from "@/server/auth/procedures";
import { deleteAllocation } from "./delete-allocation";
import { getClaim, getStaffClaim, listLargestClaims } from "./get-claim";
import { getAllocation, listAllocations } from "./list-allocations";
import { listPayments } from "./list-payments";
import { publishAllocation } from "./publish-allocation";
import { previewAllocation, previewAndRequest } from "./request-allocation";
import {
  AllocationInput,
  GetClaimInput,
  GetClaimReply,
  ListAllocationsInput,
  PaymentsInput,
  PreviewAllocationInput,
  RequestAllocationInput,
} from "./schema";

export const consoleAllocationsRouter = router({
  list: staffQuery("viewer", ListAllocationsInput, listAllocations),
  get: staffQuery("viewer", AllocationInput, getAllocation),
  claim: staffQuery("viewer", GetClaimInput, getStaffClaim),
  largest: staffQuery("viewer", AllocationInput, listLargestClaims, "long"),
  payments: staffQuery("viewer", PaymentsInput, listPayments, "long"),
  // It changes nothing, but a list of addresses is too long for a URL.
  preview: staffChange("operator", PreviewAllocationInput, previewAllocation, "heavy"),
  request: staffChange("operator", RequestAllocationInput, previewAndRequest, "heavy"),
  publish: staffChange("admin", AllocationInput, publishAllocation),
  delete: staffChange("operator", AllocationInput, deleteAllocation),
});

export const allocationsRouter = router({
  claim: openProcedure(() => true)
    .meta(
      inDocument("Allocations", "GET /v1/allocations/{allocationId}/claims/{address}", {
        summary: "Get a claim",
        description:
          "Returns what an address gets by a published allocation, with a Merkle proof that anyone can " +
          "check against the allocation's root. Needs no token.",
      }),
    )
    .input(GetClaimInput)
    .output(GetClaimReply)
    .query(async ({ ctx, input }) => ({ claim: await getClaim({ ...ctx, actor: "anyone" }, input) })),
});
