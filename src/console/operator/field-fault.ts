import { ConfigError } from "../../config/members.ts";
import { Fault } from "../../lib/faults.ts";

/** `model.price.input is missing; …` → the field that a form can place it at, and the rest. */
const PLACED = /^(?:channel|model)\.(?:price\.)?(?<field>[^\s:]+):? (?<rest>.*)$/s;

/** Runs checks that are worded for the file, and words what is wrong for a form. */
export function atField<T>(check: () => T): T {
  try {
    return check();
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    throw fieldFault(thrown);
  }
}

/** What is wrong with a form that stands inside of another one, at its place there. */
export function below<T>(place: string, check: () => T): T {
  try {
    return check();
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const param = thrown.param === null ? place : `${place}.${thrown.param}`;
    throw new Fault(thrown.fault, thrown.message, { param, cause: thrown });
  }
}

export function fieldFault({ message }: Error): Fault {
  const placed = PLACED.exec(message)?.groups;
  const field = placed?.field;
  const text = field === undefined ? message : `${field} ${placed?.rest}`;
  // `keys[0]` stands in the form's field `keys`.
  return new Fault("invalid_value", text, { param: field?.replace(/[[.].*$/s, "") });
}

export function noSuch(what: string, id: string): Fault {
  return new Fault("not_found", `There is no ${what} '${id.slice(0, 128)}'.`, { param: "id" });
}
