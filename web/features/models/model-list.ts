import type { Model } from "../../../src/console/contract/models.ts";

type ModelFilters = Readonly<Record<"q" | "vendor" | "capability", string | undefined>>;

/** Every word must stand somewhere in the model's names. */
export function filterModels(
  models: readonly Model[],
  { q = "", vendor, capability }: ModelFilters,
): readonly Model[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    const names = `${model.id} ${model.display_name} ${model.owned_by}`.toLowerCase();
    return (
      words.every((word) => names.includes(word)) &&
      (vendor === undefined || model.owned_by === vendor) &&
      (capability === undefined || model.capabilities.some((name) => name === capability))
    );
  });
}

export function vendorsOf(models: readonly Model[]): readonly string[] {
  return [...new Set(models.map(({ owned_by }) => owned_by))].sort();
}

/** "0–8, 20–24" as "00:00–08:00, 20:00–24:00". */
export function hoursText(hours: readonly (readonly [number, number])[]): string {
  const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;
  return hours.map(([from, to]) => `${clock(from)}–${clock(to)}`).join(", ");
}

/** The 4th of January 1970 was a Sunday. */
const SUNDAY_MS = 3 * 86_400_000;
const WEEK_DAYS = 7;

/** Runs of days as "Mon–Fri"; nothing for the whole week. */
export function weekdaysText(weekdays: readonly number[], locale: string): string | undefined {
  if (weekdays.length === WEEK_DAYS) return undefined;
  const format = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const name = (day: number) => format.format(SUNDAY_MS + day * 86_400_000);
  // Weeks are read from Monday on, so Sunday is the last day.
  const places = weekdays.map((day) => (day + WEEK_DAYS - 1) % WEEK_DAYS).sort((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last && last[1] === place - 1) last[1] = place;
    else runs.push([place, place]);
  }
  const text = (place: number) => name((place + 1) % WEEK_DAYS);
  return runs
    .map(([from, to]) => (from === to ? text(from) : `${text(from)}–${text(to)}`))
    .join(", ");
}
