"use client";
import { Columns3 } from "lucide-react";
import { buttonLook } from "../../../ui/button";
import { Menu, MenuCheckItem, MenuGroup } from "../../../ui/menu";
import { OPTIONAL_COLUMNS } from "../table/columns";
import { useListParams } from "../use-list-params";

export function ColumnMenu() {
  const { params, setParams } = useListParams();
  const toggle = (id: string, shown: boolean) => {
    const hide = shown ? params.hide.filter((other) => other !== id) : [...params.hide, id];
    void setParams({ hide: hide.length ? hide : null });
  };
  return (
    <Menu
      trigger={
        <button type="button" className={buttonLook({ size: "small" })}>
          <Columns3 aria-hidden size={14} className="text-muted" />
          Columns
        </button>
      }
    >
      <MenuGroup label="Shown columns">
        {OPTIONAL_COLUMNS.map(([id, name]) => (
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
