export { ContractSkeleton as default } from "@/app/(console)/contracts/contract/contract-view";
