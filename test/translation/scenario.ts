import type {
  Ask,
  AskTool,
  Client,
  Prompt,
  Report,
  ReportedCall,
  ToolResult,
  Turn,
} from "./client.ts";
import type { PairHouse } from "./pair-house.ts";
import { cue, type SceneName, type WireName } from "./scenes.ts";
import type { Seen } from "./seen.ts";

/** One place of the table: who asks, who answers, and how. */
export interface Cell {
  readonly house: PairHouse;
  readonly client: Client;
  readonly vendor: WireName;
  readonly stream: boolean;
}

export interface Scenario {
  readonly name: string;
  /** Whether the client has words for it, and the vendor's wire an answer of that kind. */
  readonly fits?: (cell: Omit<Cell, "house">) => boolean;
  run(cell: Cell): Promise<void>;
}

const CITY: Readonly<Record<string, unknown>> = {
  type: "object",
  properties: { city: { type: "string", description: "The name of a city." } },
  required: ["city"],
  additionalProperties: false,
};

export const WEATHER_TOOL: AskTool = {
  name: "get_weather",
  description: "Tells the weather.",
  schema: {
    ...CITY,
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city", "days"],
  },
};
export const TIME_TOOL: AskTool = {
  name: "get_time",
  description: "Tells the time.",
  schema: CITY,
};

export function prompt(scene: SceneName, more: Omit<Prompt, "kind" | "text"> = {}): Prompt {
  return { kind: "prompt", text: `Please go ahead. ${cue(scene)}`, ...more };
}

/** What a tool returned; the vendor answers it by playing the scene. */
export function resultOf(
  call: ReportedCall | undefined,
  scene: SceneName,
  image?: string,
): ToolResult {
  if (!call) throw new Error("there is no such call");
  const text = `Result for ${call.name}. ${cue(scene)}`;
  return { call, text, ...(image ? { image } : {}) };
}

export function answerTurn(answer: Report): Turn {
  return { kind: "answer", answer };
}

export function resultTurn(...results: ToolResult[]): Turn {
  return { kind: "results", results };
}

type Settings = Omit<Ask, "model" | "stream" | "turns">;

/** Asks the model that has nothing but this wire. */
export function askPair(
  { house, client, vendor, stream }: Cell,
  turns: readonly Turn[],
  settings: Settings & { readonly model?: string } = {},
): Promise<{ told: Report; seen: Seen }> {
  const ask = { model: `pair-${vendor}-1.0`, stream, turns, ...settings };
  return house.ask(client, vendor, ask);
}

export function isTranslated({ client, vendor }: Pick<Cell, "client" | "vendor">): boolean {
  return client.wire !== vendor;
}

export function isOfficial({ client }: Pick<Cell, "client">): boolean {
  return !client.name.startsWith("ai-sdk");
}
