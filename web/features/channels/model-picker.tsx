import { useState } from "react";
import type { ListedName } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Input } from "../../ui/field.tsx";
import { Checkbox } from "../../ui/switch.tsx";
import type { ChannelFieldsProps } from "./channel-fields.tsx";
import { isPicked, picked } from "./picking.ts";

/** From here on there is a search; fewer are seen at once. */
const SEARCH_FROM = 8;
/** So many rows are drawn; the search finds the others. */
const ROWS_MAX = 200;

interface ModelPickerProps extends ChannelFieldsProps {
  readonly listed: readonly ListedName[];
}

/** What the vendor lists, to be ticked. Nothing ticked is everything with a price. */
export function ModelPicker({ form, listed }: ModelPickerProps) {
  const { t } = useSpeech();
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = listed.filter(({ name, model }) =>
    `${name} ${model ?? ""}`.toLowerCase().includes(wanted),
  );
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 text-[13px] font-medium">
        {t("channels.pick", { count: listed.length })}
      </legend>
      <p className="text-[13px] text-muted">{t("channels.pickHint")}</p>
      {listed.length >= SEARCH_FROM && (
        <Input
          type="search"
          aria-label={t("channels.pickSearch")}
          placeholder={t("channels.pickSearch")}
          value={search}
          onValueChange={setSearch}
        />
      )}
      <ul className="flex max-h-56 flex-col gap-1.5 overflow-y-auto py-0.5">
        {found.slice(0, ROWS_MAX).map((row) => (
          <PickerRow key={row.name} form={form} row={row} />
        ))}
      </ul>
      {found.length > ROWS_MAX && (
        <p className="text-[13px] text-muted">
          {t("channels.moreModels", { count: found.length - ROWS_MAX })}
        </p>
      )}
    </fieldset>
  );
}

function PickerRow({ form, row }: ChannelFieldsProps & { readonly row: ListedName }) {
  const { t } = useSpeech();
  const { models } = form.values;
  const { name, model } = row;
  return (
    <li className="flex items-start justify-between gap-3">
      <Checkbox
        checked={isPicked(models, row)}
        label={name}
        hint={model !== null && model !== name ? model : undefined}
        onChange={(on) => form.set("models", picked(models, row, on))}
      />
      {model === null && <Badge tone="warn">{t("channels.noPrice")}</Badge>}
    </li>
  );
}
