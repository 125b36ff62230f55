export { PageSkeleton as default } from "@/app/ui/states";
