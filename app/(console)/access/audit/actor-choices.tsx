import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/app/data/trpc";
import { SearchList } from "@/app/ui/popover";
import { actorName } from "./action-text";

export default function ActorChoices({ onChoose }: { onChoose: (actor: string) => void }) {
  const trpc = useTRPC();
  const actors = useQuery(trpc.console.audit.actors.queryOptions());
  const options = actors.data?.map((actor) => ({
    value: actor,
    text: `${actor} ${actorName(actor)}`,
    label: actorName(actor),
  }));
  return (
    <SearchList
      label="Search actors"
      placeholder="Email or name"
      isPending={actors.isPending}
      error={actors.isError && "Could not load the actors. Close this and try again."}
      options={() => options ?? []}
      onChoose={onChoose}
    />
  );
}
