"use client";
import { Download, Layers } from "lucide-react";
import type { ReactElement } from "react";
import { useListParams } from "@/app/(console)/batches/use-batch-list";
import { Menu, MenuCheckItem, MenuGroup, MenuLink, MenuSeparator } from "@/app/ui/menu";
import { exportQuery } from "../list-params";
import { COLUMNS, hasColumn } from "../table/columns";

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
