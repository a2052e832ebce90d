import { Fault } from "../lib/faults.ts";

export function wrongParameter(param: string, message: string): Fault {
  return new Fault("invalid_value", message, { param });
}
