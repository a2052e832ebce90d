import { useEffect } from "react";
import { MATERIAL_PATH } from "./address.ts";

/** Where the console's sign-in leads those who came from the material page, which is outside of it. */
export function WayToMaterial() {
  useEffect(() => location.replace(`${MATERIAL_PATH}${location.search}`), []);
  return null;
}
