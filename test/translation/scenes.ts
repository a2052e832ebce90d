import type { JsonObject } from "../support/samples/wires.ts";

export type WireName = "responses" | "chat" | "messages" | "gemini";

export const WIRE_NAMES: readonly WireName[] = ["responses", "chat", "messages", "gemini"];

/** Every kind of letter that a cut may fall into: two, three and four bytes long. */
export const TEXT = 'Grüße aus 東京: naïve façade, "quoted" \\ and a 🦊.\nSecond line.';
export const THOUGHT = "Let me think: 京 comes before 都 — so the answer is 🗼.";
export const REFUSAL = "I can’t help with that, sorry 🙏.";
export const CUT_TEXT = "This sentence was going to end in a fo";
export const STOPPED_TEXT = "one, two, ";
export const STOP = "three";
export const FOUND_TEXT = "Berlin has 3.9 million people.";
export const SOURCE = { url: "https://example.org/berlin", title: "Berlin — facts" };
export const QUERY = "population of Berlin";
export const VENDOR_COMPLAINT = "The parameter 'colour' is not known to this vendor.";

export const WEATHER_ARGUMENTS = { city: "Zürich", days: 3 };
export const OTHER_WEATHER_ARGUMENTS = { city: "Łódź", days: 1 };
export const TIME_ARGUMENTS = { city: "Łódź" };
/** Free text that is no JSON and that JSON has to escape. */
export const FREE_TEXT = "SELECT \"name\" FROM städte\nWHERE note = 'a\\b'; -- 🦊";
export const FIND_ARGUMENTS = { id: 7 };

export const ANSWER_JSON = { city: "Zürich", people: 436_000 };
export const ANSWER_SCHEMA: JsonObject = {
  type: "object",
  properties: { city: { type: "string" }, people: { type: "integer" } },
  required: ["city", "people"],
  additionalProperties: false,
};

/** What a vendor counts, where it can: 70 tokens anew, 40 from its cache, 10 written to it. */
export const COUNTS = { input: 120, cached: 40, cacheWrite: 10, output: 30, reasoning: 12 };

export interface PlayedCall {
  /** Behind the prefix that ids of the wire have. */
  readonly id: string;
  readonly name: string;
  /** The group that the tool belongs to, on the wire that has groups. */
  readonly namespace?: string;
  /** An object, or the text of a tool that takes free text. */
  readonly arguments: JsonObject | string;
}

/** What a vendor answers, whatever wire it speaks. */
export interface Play {
  /** With the state that its vendor wants back. */
  readonly thought?: string;
  /** A thought that its vendor does not show; only the Messages wire has them. */
  readonly hiddenThought?: boolean;
  readonly text?: string;
  readonly refusal?: string;
  readonly calls?: readonly PlayedCall[];
  /** The calls have no ids; only the Gemini wire may leave them out. */
  readonly withoutIds?: boolean;
  readonly ending: "done" | "limit" | "safety" | "stop";
  /** The vendor searched and says what its text rests on. */
  readonly searched?: boolean;
}

const WEATHER: PlayedCall = { id: "a1", name: "get_weather", arguments: WEATHER_ARGUMENTS };
const TIME: PlayedCall = { id: "b2", name: "get_time", arguments: TIME_ARGUMENTS };

export const PLAYS = {
  text: { text: TEXT, ending: "done" },
  tool: { calls: [WEATHER], ending: "done" },
  "text-and-tool": { text: TEXT, calls: [WEATHER], ending: "done" },
  "bare-tool": { calls: [{ ...TIME, arguments: {} }], ending: "done" },
  "nameless-calls": {
    calls: [WEATHER, { ...WEATHER, arguments: OTHER_WEATHER_ARGUMENTS }],
    withoutIds: true,
    ending: "done",
  },
  "parallel-tools": { calls: [WEATHER, TIME], ending: "done" },
  "thought-call": { thought: THOUGHT, calls: [WEATHER], ending: "done" },
  "hidden-thought": { hiddenThought: true, calls: [WEATHER], ending: "done" },
  "thought-text": { thought: THOUGHT, text: TEXT, ending: "done" },
  schema: { text: JSON.stringify(ANSWER_JSON), ending: "done" },
  limit: { text: CUT_TEXT, ending: "limit" },
  refusal: { refusal: REFUSAL, ending: "done" },
  "safety-stop": { ending: "safety" },
  stop: { text: STOPPED_TEXT, ending: "stop" },
  "custom-tools": {
    calls: [
      { id: "c3", name: "run_sql", arguments: FREE_TEXT },
      { id: "d4", name: "find", namespace: "crm", arguments: FIND_ARGUMENTS },
    ],
    ending: "done",
  },
  search: { text: FOUND_TEXT, searched: true, ending: "done" },
} as const satisfies Readonly<Record<string, Play>>;

/** The last three are what a vendor does instead of answering. */
export type SceneName = keyof typeof PLAYS | "rejected" | "down" | "broken";

/** The words in a prompt that tell the vendor what to play; of several the last counts. */
export function cue(scene: SceneName): string {
  return `(scene:${scene})`;
}

export function cueIn(text: string): SceneName {
  const found = [...text.matchAll(/\(scene:(?<name>[a-z-]+)\)/g)].at(-1)?.groups?.name;
  if (found === undefined) throw new Error("the vendor was not told what to play");
  return found as SceneName;
}

const CALL_PREFIXES: Readonly<Record<WireName, string>> = {
  responses: "call_",
  chat: "call_",
  messages: "toolu_",
  gemini: "fc-",
};

/** The id that a vendor of the wire gives to a call. */
export function callId(wire: WireName, id: string): string {
  return CALL_PREFIXES[wire] + id;
}

/** What each wire's vendor hands out with a thought and must get back to the byte. */
export const STATES = {
  responses: { id: "rs_05b1", encrypted_content: "gAAAAABpXk3_-mQ9/z+A==" },
  chat: [
    {
      type: "reasoning.text",
      text: THOUGHT,
      signature: "Er8BCkYIBxgC+/Ab12==",
      id: null,
      format: "anthropic-claude-v1",
      index: 0,
    },
  ],
  messages: { thinking: THOUGHT, signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3h/+==" },
  gemini: "CpcHAdHtim9zK+/0gYt1vW8=",
} as const;

/** What a vendor of the Messages wire hands out in place of a thought that it hides. */
export const HIDDEN_STATE = { data: "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5==" };

/** The two halves of a text, cut between letters. */
export function halves(text: string): [string, string] {
  const letters = [...text];
  const middle = Math.ceil(letters.length / 2);
  return [letters.slice(0, middle).join(""), letters.slice(middle).join("")];
}
