import type { JsonObject } from "../support/samples/wires.ts";
import type { WireName } from "./scenes.ts";

export interface AskTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  /** Takes free text; for clients that know such tools. */
  readonly custom?: boolean;
  /** Belongs to a group; for clients that know groups. */
  readonly namespace?: string;
}

export interface ReportedCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly arguments: unknown;
}

export interface ToolResult {
  readonly call: ReportedCall;
  readonly text: string;
  /** As a `data:` URL. */
  readonly image?: string;
}

export interface Prompt {
  readonly kind: "prompt";
  readonly text: string;
  /** An address or a `data:` URL. */
  readonly image?: string;
  readonly pdf?: string;
}

export type Turn =
  | Prompt
  | { readonly kind: "answer"; readonly answer: Report }
  | { readonly kind: "results"; readonly results: readonly ToolResult[] };

/** What is asked, before a client says it in its own words. */
export interface Ask {
  readonly model: string;
  readonly stream: boolean;
  readonly turns: readonly Turn[];
  readonly system?: string;
  readonly tools?: readonly AskTool[];
  readonly mustCall?: boolean;
  readonly schema?: JsonObject;
  /** Think hard, and let me see it. */
  readonly thinks?: boolean;
  readonly maxOutput?: number;
  readonly stop?: string;
  readonly searches?: boolean;
  /** Called with each piece of the text as it comes. */
  readonly onText?: (piece: string) => void;
}

export interface ReportedUsage {
  readonly input: number | undefined;
  readonly cached: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
}

/** What the gateway says beside the answer. */
export interface ReportedHeaders {
  readonly requestId: string;
  /** What it left out, by name. */
  readonly dropped: string;
}

/** What a client made of the answer. */
export interface Report {
  readonly text: string;
  readonly thought: string;
  readonly refusal: string;
  readonly calls: readonly ReportedCall[];
  readonly finish: "done" | "calls" | "limit" | "safety";
  /** The sequence that ended the answer, from clients that are told. */
  readonly stopSequence?: string | undefined;
  readonly usage: ReportedUsage;
  /** Addresses of what the text rests on. */
  readonly sources: readonly string[];
  readonly headers: ReportedHeaders;
  /** The answer in the client's own form, to be sent back unchanged. */
  readonly own: unknown;
}

export interface ReportedFault {
  readonly status: number | undefined;
  readonly message: string;
}

/** What a client has words for. What it cannot even ask makes no cell of the table. */
export type Ability =
  | "refusal"
  | "stop"
  | "image address"
  | "image in result"
  | "custom tools"
  | "search";

export interface Client {
  readonly name: string;
  readonly wire: WireName;
  readonly abilities: readonly Ability[];
  /** The buckets of usage that it shows. */
  readonly buckets: readonly (keyof ReportedUsage)[];
  /** Whether it shows what a model thinks. */
  readonly showsThoughts: boolean;
  /** Whose thoughts it carries from one turn to the next, by what they led to. */
  carries(vendor: WireName, to: "call" | "text"): boolean;
  ask(ask: Ask): Promise<Report>;
  /** Undefined for anything but an error of the client's own making. */
  faultOf(thrown: unknown): ReportedFault | undefined;
}

export const ALL_BUCKETS: Client["buckets"] = [
  ...(["input", "cached", "cacheWrite", "output", "reasoning"] as const),
];

/** Where clients find the gateway. */
export interface Access {
  /** Without `/v1`. */
  readonly root: string;
  readonly key: string;
}

function headersOf(headers: Headers): ReportedHeaders {
  return {
    requestId: headers.get("x-request-id") ?? "",
    dropped: headers.get("x-faregate-dropped") ?? "",
  };
}

/** A `fetch` that remembers what the gateway said beside its last answer. */
export class NotingFetch {
  headers: ReportedHeaders = { requestId: "", dropped: "" };

  readonly fetch = Object.assign(
    async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const response = await fetch(url, init);
      this.headers = headersOf(response.headers);
      return response;
    },
    { preconnect: fetch.preconnect },
  );
}

/** The type and the base64 of a `data:` URL. */
export function splitDataUrl(url: string): { type: string; data: string } {
  const { type = "", data = "" } =
    /^data:(?<type>[^;]+);base64,(?<data>.*)$/.exec(url)?.groups ?? {};
  return { type, data };
}
