import type { MaterialAreas } from "../../catalogue.ts";
import { material } from "./material.ts";

export const materialAreas: MaterialAreas = { material };
