export { ContractSkeleton as default } from "../contract/contract-skeleton";
