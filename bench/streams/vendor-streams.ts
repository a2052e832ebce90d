// Streams as the vendors of each wire write them: how they begin, and one delta after another.
import type { Endpoint } from "../../src/protocols/wire.ts";

/** A multiple of every number of events that come with one read. */
export const DELTAS = 256;

const WORDS = 'Of all the \\"streams\\" that pass, most say a word or two at a time. 漢字 '.split(
  /(?<= )/,
);

function word(i: number): string {
  return WORDS[i % WORDS.length] as string;
}

/** Some vendors pad their events, so that nobody can tell words by their lengths. */
function padding(i: number): string {
  return "aZ3kQ9xYw".slice(0, 1 + (i % 9));
}

interface VendorStream {
  readonly request: object;
  readonly beginning: string;
  /** The event of the delta with this number. */
  delta(i: number): string;
}

const CHAT_HEAD =
  'data: {"id":"chatcmpl-Cxy1Z8v2bQ7","object":"chat.completion.chunk","created":1790000000,' +
  '"model":"gpt-4.1-mini-2025-04-14","service_tier":"default","system_fingerprint":"fp_bench",';

const chatEvent = (delta: string, i: number) =>
  `${CHAT_HEAD}"choices":[{"index":0,"delta":{${delta}},"logprobs":null,"finish_reason":null}],` +
  `"usage":null,"obfuscation":"${padding(i)}"}\n\n`;

const ITEM = "msg_68a1f6cf0b1c8190b0f6b2c7d6e9a3d5";

function responsesEvent(type: string, number: number, members: string): string {
  return `event: ${type}\ndata: {"type":"${type}","sequence_number":${number},${members}}\n\n`;
}

const MESSAGE =
  '{"id":"msg_01","type":"message","role":"assistant","model":"claude-x","content":[],' +
  '"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}';

const RESPONSE =
  '{"id":"resp_1","object":"response","status":"in_progress","model":"gpt-x","output":[],"usage":null}';

const MESSAGES = [{ role: "user", content: "x" }];

export const STREAMS: Readonly<Record<Endpoint, VendorStream>> = {
  chat: {
    request: { model: "ours-1.0", stream: true, messages: MESSAGES },
    beginning: chatEvent('"role":"assistant","content":"","refusal":null', 0),
    delta: (i) => chatEvent(`"content":"${word(i)}"`, i),
  },
  responses: {
    request: { model: "ours-1.0", stream: true, input: "x" },
    beginning: responsesEvent("response.created", 0, `"response":${RESPONSE}`),
    delta: (i) =>
      responsesEvent(
        "response.output_text.delta",
        i + 1,
        `"item_id":"${ITEM}","output_index":0,"content_index":0,"delta":"${word(i)}",` +
          `"logprobs":[],"obfuscation":"${padding(i)}"`,
      ),
  },
  messages: {
    request: { model: "ours-1.0", stream: true, max_tokens: 9_000, messages: MESSAGES },
    beginning: `event: message_start\ndata: {"type":"message_start","message":${MESSAGE}}\n\n`,
    delta: (i) =>
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,' +
      `"delta":{"type":"text_delta","text":"${word(i)}"}}\n\n`,
  },
  gemini: {
    request: { contents: [{ role: "user", parts: [{ text: "x" }] }] },
    beginning: "",
    delta: (i) =>
      `data: {"candidates":[{"content":{"parts":[{"text":"${word(i)}"}],"role":"model"},"index":0}],` +
      `"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":${i + 1},"totalTokenCount":${i + 5}},` +
      '"modelVersion":"gemini-2.5-pro","responseId":"r1"}\r\n\r\n',
  },
};
