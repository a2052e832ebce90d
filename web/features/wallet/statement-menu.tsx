import { useSpeech } from "../../i18n/language.tsx";
import { withQuery } from "../../lib/api.ts";
import { useSession } from "../../lib/session.tsx";
import { useNow } from "../../lib/time/now.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import type { DemandedMenuProps } from "../../ui/menu-on-demand.tsx";
import { SPANS, spanDays } from "./statement-span.ts";

/** Of which time the file is to be. */
export function StatementMenu({ trigger }: DemandedMenuProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  const nowMs = useNow();
  const fileOf = (span: (typeof SPANS)[number]) =>
    withQuery(path("/entries.csv"), { ...spanDays(span, nowMs) });
  return (
    <Menu opens trigger={trigger}>
      {SPANS.map((span) => (
        <MenuItem key={span} render={<a href={fileOf(span)} download />}>
          {t(`wallet.file_${span}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
