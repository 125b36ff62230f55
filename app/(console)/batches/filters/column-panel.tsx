"use client";
import type { ReactElement } from "react";
import { Menu, MenuCheckItem, MenuGroup } from "../../../ui/menu";
import { COLUMNS, FIXED_COLUMNS, hasColumn } from "../table/columns";
import { useListParams } from "../use-list-params";

export function ColumnPanel({ trigger }: { trigger: ReactElement }) {
  const { params, setParams } = useListParams();
  const toggle = (id: string, shown: boolean) => {
    const hide = shown ? params.hide.filter((other) => other !== id) : [...params.hide, id];
    void setParams({ hide: hide.length ? hide : null });
  };
  return (
    <Menu trigger={trigger} defaultOpen>
      <MenuGroup label="Visible columns">
        {COLUMNS.filter(({ id }) => !FIXED_COLUMNS.has(id) && hasColumn(params, id)).map(({ id, name }) => (
          <MenuCheckItem
            key={id}
            checked={!params.hide.includes(id)}
            onCheckedChange={(checked) => toggle(id, checked)}
          >
            {name}
          </MenuCheckItem>
        ))}
      </MenuGroup>
    </Menu>
  );
}
