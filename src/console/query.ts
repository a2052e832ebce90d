import { Fault } from "../lib/faults.ts";

/** No id, name or cursor of ours is longer. */
const TEXT_CHARS_MAX = 300;

export function wrongParameter(param: string, message: string): Fault {
  return new Fault("invalid_value", message, { param });
}

/** A parameter that says something; an empty one, as forms send it, says nothing. */
export function textParameter(parameters: URLSearchParams, name: string): string | undefined {
  const text = parameters.get(name) || undefined;
  if (text !== undefined && text.length > TEXT_CHARS_MAX) {
    throw wrongParameter(name, `'${name}' is longer than ${TEXT_CHARS_MAX} characters.`);
  }
  return text;
}

export function choiceParameter<T extends string>(
  parameters: URLSearchParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = textParameter(parameters, name);
  if (text === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw wrongParameter(name, `'${name}' must be one of ${choices.join(", ")}.`);
}

/** An answer that no cache keeps: it belongs to one person at one moment. */
export function answer(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}

export function listAnswer(data: readonly unknown[], next: string | null): Response {
  return answer({ object: "list", data, next });
}
