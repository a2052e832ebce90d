/**
 * What the data of a vendor's event say. Undefined where they say nothing: there are none, they are an end marker, which some
 * vendors write on wires that have none, or they are a null.
 */
export function eventValue(data: string | undefined): unknown {
  if (!data || data === "[DONE]") return undefined;
  return JSON.parse(data) ?? undefined;
}
