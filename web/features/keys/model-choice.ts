import type { Model } from "../../../src/console/contract/models.ts";

type PickedModel = Pick<Model, "id" | "display_name">;

/** Those of `first` in front, also where they are not offered any more, and then all others that match. */
export function pickedFirst(
  offered: readonly PickedModel[],
  first: readonly string[],
  sought: string,
): readonly PickedModel[] {
  const words = sought.trim().toLowerCase();
  const gone = first
    .filter((id) => !offered.some((model) => model.id === id))
    .map((id) => ({ id, display_name: id }));
  const listed = offered.filter(({ id }) => first.includes(id));
  const others = offered.filter(({ id }) => !first.includes(id));
  return [...gone, ...listed, ...others].filter(({ id, display_name }) =>
    `${display_name} ${id}`.toLowerCase().includes(words),
  );
}

export function toggled(chosen: readonly string[], id: string): readonly string[] {
  return chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
}
