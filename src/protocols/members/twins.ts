import { Fault } from "../../lib/faults.ts";
import type { LongStrings } from "../../lib/json/long-strings.ts";
import type { Member } from "../../lib/json/stepped-parser.ts";
import { type Around, MemberWalk, type Path, walkInSteps } from "./member-walk.ts";
import type { Known, Shape } from "./shape.ts";

function written(path: Path): string {
  let text = "";
  for (const piece of path) {
    if (typeof piece === "number") text += `[${piece}]`;
    else text += text === "" ? piece : `.${piece}`;
  }
  return text;
}

const PARAM_CHARS_MAX = 200;

function twin(path: Path, name: string, meant: string): Fault {
  const param = written([...path, name]).slice(0, PARAM_CHARS_MAX);
  const message =
    name === meant
      ? `The parameter '${param}' is given twice.`
      : `The parameter '${param}' differs from '${meant}' only by its capitals; write '${meant}'.`;
  return new Fault("duplicate_parameter", message, { param });
}

/** Refuses a member that could be taken for another one of its object. */
function refuseTwin(object: Around, name: string, known: Known | undefined, shape: Shape): void {
  if (!object.add(name, known?.bit ?? 0)) throw twin(object.path, name, name);
  const meant = known ? undefined : shape.meantBy(name);
  if (meant !== undefined) throw twin(object.path, name, meant);
}

/**
 * Refuses a text in which two members could be taken for one, or one for another: a second member of
 * the same name, or one that differs from what is read here only by case. Two readers of the text
 * may take it differently, and what is priced would not be what is served. The text must be valid JSON.
 * Returns the members of the object, for whoever is to change some of them.
 */
export function refuseTwins(text: string, shape: Shape): readonly Member[] {
  const walk = new MemberWalk(text, shape, refuseTwin);
  walk.go(text.length);
  return walk.members;
}

/** The same in steps, for a text that is so large that others must have their turns meanwhile. */
export function refuseTwinsInSteps(
  text: string,
  shape: Shape,
  ends: LongStrings,
): Promise<readonly Member[]> {
  return walkInSteps(new MemberWalk(text, shape, refuseTwin), text, ends);
}
