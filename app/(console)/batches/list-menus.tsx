"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Layers, Trash2 } from "lucide-react";
import { type ReactElement, type SubmitEvent, useState } from "react";
import { COLUMNS, hasColumn } from "@/app/(console)/batches/table/columns";
import { useStaff } from "@/app/(console)/staff";
import { fieldError, problemOf } from "@/app/data/problem";
import { useTRPC } from "@/app/data/trpc";
import { Button } from "@/app/ui/button";
import { CopyButton } from "@/app/ui/copy-button";
import { TextField, textOf } from "@/app/ui/fields";
import { useFocus } from "@/app/ui/hooks";
import { Menu, MenuCheckItem, MenuGroup, MenuLink, MenuSeparator } from "@/app/ui/menu";
import { Popover } from "@/app/ui/popover";
import { Skeleton } from "@/app/ui/states";
import type { SavedView } from "@/server/views/schema";
import { exportQuery, viewPath } from "./list-params";
import { useListParams, useView, ViewLink } from "./use-batch-list";

export function ListMenu({ trigger }: { trigger: ReactElement }) {
  const { params, setParams } = useListParams();
  const toggle = (id: string, shown: boolean) => {
    const hide = shown ? params.hide.filter((other) => other !== id) : [...params.hide, id];
    void setParams({ hide: hide.length ? hide : null });
  };
  return (
    <Menu trigger={trigger} defaultOpen>
      <MenuLink icon={Download} href={exportQuery("/batches/export", params)} download>
        Export CSV
      </MenuLink>
      <MenuLink icon={Layers} href="/batches/jobs">
        Bulk jobs
      </MenuLink>
      <div className="max-md:hidden">
        <MenuSeparator />
        <MenuGroup label="Visible columns">
          {COLUMNS.filter(({ id, fixed }) => !fixed && hasColumn(params, id)).map(({ id, name }) => (
            <MenuCheckItem
              key={id}
              checked={!params.hide.includes(id)}
              onCheckedChange={(checked) => toggle(id, checked)}
            >
              {name}
            </MenuCheckItem>
          ))}
        </MenuGroup>
      </div>
    </Menu>
  );
}

export function SavedViews({ trigger }: { trigger: ReactElement }) {
  const [open, setOpen] = useState(true);
  return (
    <Popover title="Saved views" open={open} onOpenChange={setOpen} trigger={trigger}>
      <Panel close={() => setOpen(false)} />
    </Popover>
  );
}

function Panel({ close }: { close: () => void }) {
  const trpc = useTRPC();
  const { query } = useView();
  const views = useQuery(trpc.console.views.list.queryOptions());
  return (
    <div className="flex w-80 max-w-full flex-col gap-3">
      {views.isPending && <Skeleton className="m-2 h-4 w-40" />}
      {views.isError && (
        <p className="text-danger text-label">Could not load your views. Close this menu and try again.</p>
      )}
      {views.data?.length === 0 && (
        <p className="text-label text-muted">
          A view saves the filters, sort order and columns of the list. Only you see your views here.
        </p>
      )}
      {views.data && views.data.length > 0 && (
        <ul className="flex max-h-64 flex-col overflow-y-auto">
          {views.data.map((view) => (
            <ViewRow key={view.id} view={view} close={close} />
          ))}
        </ul>
      )}
      {views.data && !views.data.some((view) => view.query === query) && (
        <SaveForm query={query} close={close} />
      )}
    </div>
  );
}

/** Options of a change of the views, with what follows once they are read again. */
function useViewChange(then: () => void) {
  const queryClient = useQueryClient();
  const list = useTRPC().console.views.list.queryFilter();
  return { onSuccess: () => queryClient.invalidateQueries(list).then(then) };
}

function SaveForm({ query, close }: { query: string; close: () => void }) {
  const save = useMutation(useTRPC().console.views.save.mutationOptions(useViewChange(close)));
  const field = useFocus<HTMLInputElement>();
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
          ref={field}
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

function ViewRow({ view, close }: { view: SavedView; close: () => void }) {
  const [isAsked, setAsked] = useState(false);
  const { publicUrl } = useStaff();
  const change = useViewChange(() => setAsked(false));
  const remove = useMutation(useTRPC().console.views.delete.mutationOptions(change));
  if (isAsked) {
    return (
      <li className="flex flex-wrap items-center gap-2 p-1 text-table">
        <span className="min-w-0 flex-1">Delete “{view.name}”?</span>
        <Button size="small" onClick={() => setAsked(false)}>
          Keep
        </Button>
        <Button
          size="small"
          variant="danger"
          disabled={remove.isPending}
          onClick={() => remove.mutate({ viewId: view.id })}
        >
          Delete
        </Button>
        {remove.error && <p className="w-full text-danger text-label">{problemOf(remove.error).detail}</p>}
      </li>
    );
  }
  return (
    <li className="group flex items-center gap-1 rounded-control hover:bg-hover">
      <ViewLink
        query={view.query}
        onShow={close}
        className="min-h-8 min-w-0 flex-1 content-center truncate rounded-control px-2 text-table -outline-offset-2 aria-[current=page]:font-medium"
      >
        {view.name}
      </ViewLink>
      <CopyButton value={`${publicUrl}${viewPath(view.query)}`} what={`link to ${view.name}`} />
      <Button
        variant="ghost"
        size="icon"
        icon={Trash2}
        className="size-6!"
        aria-label={`Delete ${view.name}`}
        onClick={() => setAsked(true)}
      />
    </li>
  );
}
