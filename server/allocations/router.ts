import { router, staffChange, staffQuery } from "@/server/auth/procedures";
import { deleteAllocation } from "./delete-allocation";
import { getAllocation, listAllocations } from "./list-allocations";
import { publishAllocation } from "./publish-allocation";
import { previewAllocation, requestAllocation } from "./request-allocation";
import {
  AllocationInput,
  ListAllocationsInput,
  PreviewAllocationInput,
  RequestAllocationInput,
} from "./schema";

export const consoleAllocationsRouter = router({
  list: staffQuery("viewer", ListAllocationsInput, listAllocations),
  get: staffQuery("viewer", AllocationInput, getAllocation),
  // It changes nothing, but a list of addresses is too long for a URL.
  preview: staffChange("operator", PreviewAllocationInput, previewAllocation, "long"),
  request: staffChange("operator", RequestAllocationInput, requestAllocation),
  publish: staffChange("admin", AllocationInput, publishAllocation),
  delete: staffChange("operator", AllocationInput, deleteAllocation),
});
