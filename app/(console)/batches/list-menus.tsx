"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ComponentProps, type SubmitEvent, useState } from "react";
import { COLUMNS, hasColumn } from "@/app/(console)/batches/table/columns";
import { fieldError, problemOf } from "@/app/data/problem";
import { useChange, useTRPC } from "@/app/data/trpc";
import { Button, DownloadLink } from "@/app/ui/button";
import { TextField, textOf } from "@/app/ui/fields";
import Popover from "@/app/ui/popover";
import { Skeleton } from "@/app/ui/states";
import type { SavedView } from "@/server/views/saved-views";
import { CheckChoices } from "./filters/filter-panels";
import { exportQuery, queryOf } from "./list-params";
import { useListParams } from "./use-list-params";
import { ViewLink } from "./view-link";

type ListMenuProps = Required<Pick<ComponentProps<typeof Popover>, "trigger" | "open" | "onOpenChange">>;

export default function ListMenu(props: ListMenuProps) {
  const close = () => props.onOpenChange(false);
  const href = exportQuery("/batches/export", useListParams().params);
  return (
    <Popover title="Views and export" {...props}>
      <div className="flex w-80 max-w-full flex-col gap-4">
        <SavedViews close={close} />
        <Columns />
        <DownloadLink size="small" href={href} onClick={close} className="self-start">
          Export CSV
        </DownloadLink>
      </div>
    </Popover>
  );
}

function Columns() {
  const { params, setParams } = useListParams();
  const ids = COLUMNS.map(({ id }) => id);
  const show = (shown: string[] | null) => {
    const hide = ids.filter((id) => !shown?.includes(id));
    void setParams({ hide: hide.length ? hide : null });
  };
  return (
    <div className="max-md:hidden">
      <p aria-hidden className="hint">
        Columns
      </p>
      <CheckChoices
        name="Columns"
        options={COLUMNS.filter(({ id, fixed }) => !fixed && hasColumn(params, id)).map((column) => ({
          value: column.id,
          name: column.name,
          note: column.wide && <span className="min-[1400px]:hidden">in a wide window</span>,
        }))}
        chosen={ids.filter((id) => !params.hide.includes(id))}
        onChange={show}
        className="flex flex-col"
      />
    </div>
  );
}

/** The views that the user has saved. Any other list can be saved. */
function SavedViews({ close }: { close: () => void }) {
  const query = queryOf(useListParams().params);
  const views = useQuery(useTRPC().console.views.list.queryOptions());
  return (
    <>
      {views.isPending && <Skeleton className="m-2 h-4 w-40" />}
      {views.isError && (
        <p className="text-danger text-label">Could not load your views. Close this menu and try again.</p>
      )}
      {views.data?.length === 0 && (
        <p className="hint">
          A view saves the filters, sort order and columns of the list. Only you see your views here.
        </p>
      )}
      {views.data && views.data.length > 0 && (
        <ul aria-label="Saved views" className="flex max-h-64 flex-col overflow-y-auto">
          {views.data.map((view) => (
            <li key={view.id} className="flex rounded-control hover:bg-hover">
              <ViewLink
                query={view.query}
                onShow={close}
                className="choice block min-w-0 flex-1 content-center truncate
                  aria-[current=page]:font-medium"
              >
                {view.name}
              </ViewLink>
              <DeleteView view={view} />
            </li>
          ))}
        </ul>
      )}
      {views.data?.every((view) => view.query !== query) && <SaveForm query={query} close={close} />}
    </>
  );
}

/** Needs no question: a list that is on screen can be saved again. */
function DeleteView({ view }: { view: SavedView }) {
  const { views } = useTRPC().console;
  const changed = useChange([views.list.queryFilter()]);
  const remove = useMutation(views.delete.mutationOptions(changed("View deleted")));
  return (
    <Button
      variant="ghost"
      size="small"
      icon={X}
      aria-label={`Delete the view ${view.name}`}
      busy={remove.isPending}
      onClick={() => remove.mutate({ viewId: view.id })}
    />
  );
}

function SaveForm({ query, close }: { query: string; close: () => void }) {
  const { views } = useTRPC().console;
  const changed = useChange([views.list.queryFilter()], close);
  const save = useMutation(views.save.mutationOptions(changed("View saved")));
  const [missing, setMissing] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = textOf(new FormData(event.currentTarget), "name");
    setMissing(!name);
    if (name && !save.isPending) save.mutate({ name, query });
  };
  const problem = save.error && problemOf(save.error);
  const error = missing ? "Enter a name." : (fieldError(problem, "name") ?? problem?.detail);
  return (
    <form onSubmit={submit} noValidate className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label="Save the current list as"
          error={error}
          name="name"
          maxLength={60}
          autoComplete="off"
        />
      </div>
      <Button type="submit" variant="primary" disabled={save.isPending} className={error && "mb-[22px]"}>
        Save view
      </Button>
    </form>
  );
}
