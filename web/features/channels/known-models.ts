import { useMemo } from "react";
import type { Page } from "../../../src/lib/contract.ts";
import { useResource } from "../../lib/queries.ts";
import { readModels } from "./channel-form.ts";
import { unpricedIn } from "./new-models.ts";

/** The models that a form names and that the catalogue does not have. */
export function useUnpriced(typed: string): readonly string[] {
  const { data } = useResource<Page<{ readonly id: string }>>("/api/operator/models");
  const known = useMemo(() => data && new Set(data.data.map(({ id }) => id)), [data]);
  return useMemo(() => unpricedIn(readModels(typed), known), [typed, known]);
}
