"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type ReactElement, type SubmitEvent, useState } from "react";
import { COLUMNS, hasColumn } from "@/app/(console)/batches/table/columns";
import { fieldError, problemOf } from "@/app/data/problem";
import { useChange, useTRPC } from "@/app/data/trpc";
import { Button } from "@/app/ui/button";
import { TextField, textOf } from "@/app/ui/fields";
import { takeFocus } from "@/app/ui/hooks";
import { Menu, MenuCheckItem, MenuGroup, MenuLink, MenuSeparator } from "@/app/ui/menu";
import Popover from "@/app/ui/popover";
import { Skeleton } from "@/app/ui/states";
import type { SavedView } from "@/server/views/saved-views";
import { exportQuery, loadListParams, queryOf } from "./list-params";
import { useListParams } from "./use-list-params";
import { ViewLink } from "./view-link";

export default function ListMenu({ trigger }: { trigger: ReactElement }) {
  const { params, setParams } = useListParams();
  const toggle = (id: string, shown: boolean) => {
    const hide = shown ? params.hide.filter((other) => other !== id) : [...params.hide, id];
    void setParams({ hide: hide.length ? hide : null });
  };
  return (
    <Menu trigger={trigger}>
      <MenuLink icon={Download} href={exportQuery("/batches/export", params)} download>
        Export CSV
      </MenuLink>
      <div className="max-md:hidden">
        <MenuSeparator />
        <MenuGroup label="Visible columns">
          {COLUMNS.filter(({ id, fixed }) => !fixed && hasColumn(params, id)).map(({ id, name, wide }) => (
            <MenuCheckItem
              key={id}
              checked={!params.hide.includes(id)}
              onCheckedChange={(checked) => toggle(id, checked)}
            >
              {name}
              {wide && <span className="min-[1400px]:hidden hint">in a wide window</span>}
            </MenuCheckItem>
          ))}
        </MenuGroup>
      </div>
    </Menu>
  );
}

/** The views that the user has saved. The one that is shown can be deleted; any other list can be saved. */
export function SavedViews({ trigger }: { trigger: ReactElement }) {
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  const query = queryOf(useListParams().params);
  const views = useQuery(useTRPC().console.views.list.queryOptions());
  const shown = views.data?.find((view) => view.query === query);
  return (
    <Popover title="Saved views" open={open} onOpenChange={setOpen} trigger={trigger}>
      <div className="flex w-80 max-w-full flex-col gap-3">
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
          <ul className="flex max-h-64 flex-col overflow-y-auto">
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
                {!isReadable(view) && <DeleteView view={view} />}
              </li>
            ))}
          </ul>
        )}
        {/* Deleting needs no question: the list stays on screen, and can be saved again. */}
        {shown && (
          <div className="flex items-center justify-between gap-2">
            <span className="min-w-0 truncate hint">This list is saved as “{shown.name}”</span>
            <DeleteView view={shown} />
          </div>
        )}
        {views.data && !shown && <SaveForm query={query} close={close} />}
      </div>
    </Popover>
  );
}

/** False for a view that this version would show otherwise, so that it is never the list that is shown. */
const isReadable = ({ query }: SavedView) => queryOf(loadListParams(`?${query}`)) === query;

function DeleteView({ view }: { view: SavedView }) {
  const { views } = useTRPC().console;
  const changed = useChange([views.list.queryFilter()]);
  const remove = useMutation(views.delete.mutationOptions(changed("View deleted")));
  return (
    <Button size="small" busy={remove.isPending} onClick={() => remove.mutate({ viewId: view.id })}>
      Delete view
    </Button>
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
          ref={takeFocus}
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
