import type { Speech } from "../../i18n/language.tsx";
import { formatBytes } from "../system/units.ts";
import type { ShownTrouble } from "./health.ts";

/** The sentence that says what is wrong. */
export function troubleTitle({ t, locale }: Speech, trouble: ShownTrouble): string {
  const { kind, subject, name: known } = trouble;
  const name = known ?? subject ?? "";
  const count = trouble.count ?? 0;
  const total = trouble.total ?? 0;
  switch (kind) {
    case "disk_full":
    case "disk_low":
      return t(`health.${kind}`, { free: formatBytes(count, locale) });
    case "unavailable":
      return t("health.unavailable", { count, total });
    case "channel_errors":
    case "channel_keys":
      return t(`health.${kind}`, { name, count, total });
    case "notices":
      return t("health.notices", { count });
    case "storage_down":
    case "gate_away":
    case "office_away":
      return t(`health.${kind}`);
    default:
      return t(`health.${kind}`, { name });
  }
}
