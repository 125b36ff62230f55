import { NotFound } from "@/app/ui/states";

export default function ConsoleNotFound() {
  return (
    <NotFound title="Page not found" href="/batches" link="View all batches">
      Check the link, or press / and search for what you need.
    </NotFound>
  );
}
