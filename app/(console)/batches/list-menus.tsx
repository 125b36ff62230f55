import { type ReactElement, useState } from "react";
import { COLUMNS, hasColumn } from "@/app/(console)/batches/table/columns";
import { DownloadLink } from "@/app/ui/button";
import Popover from "@/app/ui/popover";
import { CheckChoices } from "./filters/filter-panels";
import { exportQuery } from "./list-params";
import { useListParams } from "./use-list-params";

export default function ListMenu({ trigger }: { trigger: ReactElement }) {
  const [open, setOpen] = useState(true);
  const { params, setParams } = useListParams();
  const ids = COLUMNS.map(({ id }) => id);
  const show = (shown: string[] | null) => {
    const hide = ids.filter((id) => !shown?.includes(id));
    void setParams({ hide: hide.length ? hide : null });
  };
  return (
    <Popover title="Columns and export" trigger={trigger} open={open} onOpenChange={setOpen}>
      <div className="flex w-60 max-w-full flex-col gap-4">
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
        <DownloadLink
          size="small"
          href={exportQuery("/batches/export", params)}
          onClick={() => setOpen(false)}
          className="self-start"
        >
          Export CSV
        </DownloadLink>
      </div>
    </Popover>
  );
}
