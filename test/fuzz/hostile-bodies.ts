// Bodies that are made to be slow for whoever reads them: each list, text and object of a request, as
// large as asked for, in the ways that make readers compare all with all or go back again and again.
import type { Endpoint } from "../../src/protocols/wire.ts";

type Json = { [name: string]: unknown };

interface HostileBody {
  readonly name: string;
  /** A body of about so many bytes. */
  make(bytes: number): string;
}

/** As many elements as fit, each different. */
function many<T>(bytes: number, element: (i: number) => T): T[] {
  const size = JSON.stringify(element(10_000)).length + 1;
  return Array.from({ length: Math.max(1, Math.floor(bytes / size)) }, (_, i) => element(i));
}

/** As many members as fit, each by a name of its own. */
function members(bytes: number, value: unknown = 0): Json {
  return Object.fromEntries(many(bytes - 1, (i) => [`n${i}`, value]) as [string, unknown][]);
}

function nested(depth: number, inside: (value: unknown) => unknown): unknown {
  let value: unknown = {};
  for (let i = 0; i < depth; i++) value = inside(value);
  return value;
}

/** Texts on which patterns stumble: long runs of what they may take in several ways. */
const TEXTS: Readonly<Record<string, string>> = {
  letters: "a",
  spaces: " ",
  lines: "\n",
  quotes: '"',
  slashes: "\\",
  braces: "{",
  brackets: "[",
  ats: "a@",
  stars: "*a",
  dashes: "-",
  han: "漢",
  emoji: "👩‍👩‍👧",
  marks: "e\u0301",
  halves: "\ud800",
  zeros: "0",
  json: '{"a":[',
  data: "data:image/png;base64,AAAA",
  tags: "<a ",
  fences: "```",
  urls: "http://a.",
};

function texts(say: (text: string) => Json): HostileBody[] {
  return Object.entries(TEXTS).map(([name, unit]) => ({
    name: `text of ${name}`,
    make: (bytes) => JSON.stringify(say(unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit))))),
  }));
}

type Lists = Readonly<Record<string, (bytes: number) => Json>>;

function lists(all: Lists): HostileBody[] {
  return Object.entries(all).map(([name, body]) => ({
    name,
    make: (bytes) => JSON.stringify(body(bytes)),
  }));
}

const schema = (name: string) => ({
  name,
  description: "d",
  parameters: { type: "object", properties: {} },
});

const DEEP = 250;
const deepSchema = nested(DEEP, (value) => ({ type: "object", properties: { a: value } }));
const deepList = nested(DEEP, (value) => [value]);

const user = (content: unknown) => ({ role: "user", content });

function chatBodies(): HostileBody[] {
  const model = "m";
  const base = (more: Json) => ({ model, messages: [user("hi")], ...more });
  const tool = (name: string) => ({ type: "function", function: schema(name) });
  const call = (i: number) => ({
    id: `c${i}`,
    type: "function",
    function: { name: "f", arguments: "{}" },
  });
  return [
    ...texts((text) => ({ model, messages: [user(text)] })),
    ...texts((text) => base({ tools: [tool(text)] })).slice(0, 4),
    ...lists({
      messages: (bytes) => ({ model, messages: many(bytes, (i) => user(`x${i}`)) }),
      "messages of the system": (bytes) => ({
        model,
        messages: [
          ...many(bytes, (i) => ({ role: i % 2 ? "system" : "developer", content: "x" })),
          user("x"),
        ],
      }),
      parts: (bytes) => ({
        model,
        messages: [user(many(bytes, (i) => ({ type: "text", text: `x${i}` })))],
      }),
      tools: (bytes) => base({ tools: many(bytes, (i) => tool(`f${i}`)) }),
      "tools of one name": (bytes) => base({ tools: many(bytes, () => tool("f")) }),
      "tools of free text": (bytes) =>
        base({ tools: many(bytes, (i) => ({ type: "custom", custom: { name: `f${i}` } })) }),
      "tools that a vendor runs": (bytes) =>
        base({ tools: many(bytes, (i) => ({ type: `hosted_${i}` })) }),
      "tools to choose from": (bytes) =>
        base({
          tools: many(bytes / 2, (i) => tool(`f${i}`)),
          tool_choice: {
            type: "allowed_tools",
            allowed_tools: {
              mode: "auto",
              tools: many(bytes / 2, (i) => ({ type: "function", function: { name: `f${i}` } })),
            },
          },
        }),
      functions: (bytes) => base({ functions: many(bytes, (i) => schema(`f${i}`)) }),
      "calls and results": (bytes) => ({
        model,
        messages: [
          user("x"),
          { role: "assistant", content: null, tool_calls: many(bytes / 2, call) },
          ...many(bytes / 2, (i) => ({ role: "tool", tool_call_id: `c${i}`, content: "x" })),
        ],
      }),
      "calls one by one": (bytes) => ({
        model,
        messages: [
          user("x"),
          ...many(bytes / 2, (i) => ({ role: "assistant", content: "", tool_calls: [call(i)] })),
          ...many(bytes / 2, (i) => ({ role: "tool", tool_call_id: `c${i}`, content: "x" })),
        ],
      }),
      "calls of free text": (bytes) => ({
        model,
        messages: [
          user("x"),
          {
            role: "assistant",
            tool_calls: many(bytes, (i) => ({
              id: `c${i}`,
              type: "custom",
              custom: { name: "f", input: "x" },
            })),
          },
        ],
      }),
      "thoughts of calls": (bytes) => ({
        model,
        messages: [
          user("x"),
          {
            role: "assistant",
            tool_calls: many(bytes / 2, call),
            reasoning_details: many(bytes / 2, (i) => ({
              type: "reasoning.encrypted",
              data: "x",
              id: `c${i}`,
            })),
          },
        ],
      }),
      thoughts: (bytes) => ({
        model,
        messages: [
          user("x"),
          {
            role: "assistant",
            content: "x",
            reasoning_details: many(bytes, (i) => ({
              type: "reasoning.text",
              text: `x${i}`,
              index: i,
            })),
          },
        ],
      }),
      "addresses of pictures": (bytes) => ({
        model,
        messages: [
          user([
            { type: "image_url", image_url: { url: `data:image/png${";a".repeat(bytes / 2)}` } },
          ]),
        ],
      }),
      stops: (bytes) => base({ stop: many(bytes, (i) => `s${i}`) }),
      bias: (bytes) => base({ logit_bias: members(bytes) }),
      metadata: (bytes) => base({ metadata: members(bytes, "x") }),
      "unknown members": (bytes) => base(members(bytes)),
      "members of a schema": (bytes) =>
        base({
          tools: [
            {
              type: "function",
              function: { name: "f", parameters: { properties: members(bytes, {}) } },
            },
          ],
        }),
      "a deep schema": (bytes) =>
        base({
          tools: many(bytes, (i) => ({
            type: "function",
            function: { name: `f${i}`, parameters: deepSchema },
          })),
        }),
      "a deep format": () =>
        base({
          response_format: { type: "json_schema", json_schema: { name: "x", schema: deepSchema } },
        }),
      "deep lists": () => base({ metadata: { a: deepList } }),
    }),
  ];
}

function responsesBodies(): HostileBody[] {
  const model = "m";
  const base = (more: Json) => ({ model, input: "hi", ...more });
  const tool = (i: number) => ({ type: "function", ...schema(`f${i}`) });
  return [
    ...texts((text) => ({ model, input: text })),
    ...lists({
      items: (bytes) => ({ model, input: many(bytes, (i) => user(`x${i}`)) }),
      "items of tools": (bytes) => ({
        model,
        input: [
          ...many(bytes, (i) => ({
            type: "additional_tools",
            role: "developer",
            tools: [tool(i)],
          })),
          user("x"),
        ],
      }),
      "calls and results": (bytes) => ({
        model,
        input: [
          user("x"),
          ...many(bytes / 2, (i) => ({
            type: "function_call",
            call_id: `c${i}`,
            name: "f",
            arguments: "{}",
          })),
          ...many(bytes / 2, (i) => ({
            type: "function_call_output",
            call_id: `c${i}`,
            output: "x",
          })),
        ],
      }),
      "results in the other order": (bytes) => ({
        model,
        input: [
          user("x"),
          ...many(bytes / 2, (i) => ({
            type: "function_call",
            call_id: `c${i}`,
            name: "f",
            arguments: "{}",
          })),
          ...many(bytes / 2, (i) => ({
            type: "function_call_output",
            call_id: `c${i}`,
            output: "x",
          })).reverse(),
        ],
      }),
      thoughts: (bytes) => ({
        model,
        input: [
          ...many(bytes, (i) => ({
            type: "reasoning",
            id: `r${i}`,
            summary: [],
            encrypted_content: "x",
          })),
          user("x"),
        ],
      }),
      references: (bytes) => ({
        model,
        input: many(bytes, (i) => ({ type: "item_reference", id: `i${i}` })),
      }),
      tools: (bytes) => base({ tools: many(bytes, tool) }),
      "tools in a group": (bytes) =>
        base({ tools: [{ type: "namespace", name: "n", tools: many(bytes, tool) }] }),
      "groups of tools": (bytes) =>
        base({
          tools: many(bytes, (i) => ({ type: "namespace", name: `n${i}`, tools: [tool(i)] })),
        }),
      "groups to choose from": (bytes) =>
        base({
          tools: many(bytes / 2, (i) => ({ type: "namespace", name: `n${i}`, tools: [tool(i)] })),
          tool_choice: {
            type: "allowed_tools",
            mode: "auto",
            tools: many(bytes / 2, (i) => ({ type: "namespace", name: `n${i}` })),
          },
        }),
      "tools to choose from": (bytes) =>
        base({
          tools: many(bytes / 2, tool),
          tool_choice: {
            type: "allowed_tools",
            mode: "required",
            tools: many(bytes / 2, (i) => ({ type: "function", name: `f${i}` })),
          },
        }),
      "parts of a result": (bytes) => ({
        model,
        input: [
          { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
          {
            type: "function_call_output",
            call_id: "c",
            output: many(bytes, (i) => ({ type: "input_text", text: `${i}` })),
          },
        ],
      }),
      include: (bytes) => base({ include: many(bytes, (i) => `i${i}`) }),
      metadata: (bytes) => base({ metadata: members(bytes, "x") }),
      "unknown members": (bytes) => base(members(bytes)),
      "a deep group": () =>
        base({
          tools: [nested(100, (value) => ({ type: "namespace", name: "n", tools: [value] }))],
        }),
    }),
  ];
}

function messagesBodies(): HostileBody[] {
  const model = "m";
  const base = (more: Json) => ({ model, max_tokens: 5, messages: [user("hi")], ...more });
  const tool = (i: number) => ({ name: `f${i}`, input_schema: { type: "object" } });
  const use = (i: number) => ({ type: "tool_use", id: `c${i}`, name: "f", input: {} });
  return [
    ...texts((text) => base({ messages: [user(text)] })),
    ...lists({
      messages: (bytes) => base({ messages: many(bytes, (i) => user(`x${i}`)) }),
      blocks: (bytes) =>
        base({ messages: [user(many(bytes, (i) => ({ type: "text", text: `x${i}` })))] }),
      "blocks to be cached": (bytes) =>
        base({
          messages: [
            user(
              many(bytes, (i) => ({
                type: "text",
                text: `x${i}`,
                cache_control: { type: "ephemeral" },
              })),
            ),
          ],
        }),
      system: (bytes) => base({ system: many(bytes, (i) => ({ type: "text", text: `x${i}` })) }),
      tools: (bytes) => base({ tools: many(bytes, tool) }),
      searches: (bytes) =>
        base({
          tools: many(bytes, (i) => ({
            type: "web_search_20250305",
            name: "web_search",
            max_uses: i + 1,
          })),
        }),
      "calls and results": (bytes) =>
        base({
          messages: [
            user("x"),
            { role: "assistant", content: many(bytes / 2, use) },
            user(
              many(bytes / 2, (i) => ({ type: "tool_result", tool_use_id: `c${i}`, content: "x" })),
            ),
          ],
        }),
      thoughts: (bytes) =>
        base({
          messages: [
            user("x"),
            {
              role: "assistant",
              content: many(bytes, (i) => ({
                type: "thinking",
                thinking: `x${i}`,
                signature: "s",
              })),
            },
            user("x"),
          ],
        }),
      "search results": (bytes) =>
        base({
          messages: [
            user("x"),
            {
              role: "assistant",
              content: many(bytes, (i) => ({
                type: "web_search_tool_result",
                tool_use_id: `s${i}`,
                content: [
                  {
                    type: "web_search_result",
                    url: "http://a",
                    title: "a",
                    encrypted_content: "x",
                  },
                ],
              })),
            },
            user("x"),
          ],
        }),
      stops: (bytes) => base({ stop_sequences: many(bytes, (i) => `s${i}`) }),
      "deep results": () =>
        base({
          messages: [
            user([
              nested(100, (value) => ({ type: "tool_result", tool_use_id: "c", content: [value] })),
            ]),
          ],
        }),
      "unknown members": (bytes) => base(members(bytes)),
    }),
  ];
}

function geminiBodies(): HostileBody[] {
  const said = (parts: unknown[]) => ({ role: "user", parts });
  const base = (more: Json) => ({ contents: [said([{ text: "hi" }])], ...more });
  return [
    ...texts((text) => ({ contents: [said([{ text }])] })),
    ...lists({
      contents: (bytes) => ({ contents: many(bytes, (i) => said([{ text: `x${i}` }])) }),
      parts: (bytes) => ({ contents: [said(many(bytes, (i) => ({ text: `x${i}` })))] }),
      "parts in the other spelling": (bytes) => ({
        contents: [
          said(many(bytes, (i) => ({ inline_data: { mime_type: "image/png", data: `${i}` } }))),
        ],
      }),
      functions: (bytes) =>
        base({ tools: [{ functionDeclarations: many(bytes, (i) => ({ ...schema(`f${i}`) })) }] }),
      tools: (bytes) =>
        base({ tools: many(bytes, (i) => ({ functionDeclarations: [schema(`f${i}`)] })) }),
      "tools to choose from": (bytes) =>
        base({
          tools: [{ functionDeclarations: many(bytes / 2, (i) => schema(`f${i}`)) }],
          toolConfig: {
            functionCallingConfig: {
              mode: "ANY",
              allowedFunctionNames: many(bytes / 2, (i) => `f${i}`),
            },
          },
        }),
      "calls and results": (bytes) => ({
        contents: [
          said([{ text: "x" }]),
          {
            role: "model",
            parts: many(bytes / 2, (i) => ({ functionCall: { name: `f${i}`, args: {} } })),
          },
          said(many(bytes / 2, (i) => ({ functionResponse: { name: `f${i}`, response: {} } }))),
        ],
      }),
      "calls of one name": (bytes) => ({
        contents: [
          said([{ text: "x" }]),
          {
            role: "model",
            parts: many(bytes / 2, () => ({ functionCall: { name: "f", args: {} } })),
          },
          said(many(bytes / 2, () => ({ functionResponse: { name: "f", response: {} } }))),
        ],
      }),
      "results in the other order": (bytes) => ({
        contents: [
          said([{ text: "x" }]),
          {
            role: "model",
            parts: many(bytes / 2, (i) => ({ functionCall: { name: `f${i}`, args: {} } })),
          },
          said(
            many(bytes / 2, (i) => ({
              functionResponse: { name: `f${i}`, response: {} },
            })).reverse(),
          ),
        ],
      }),
      "a deep schema": (bytes) =>
        base({
          tools: [
            {
              functionDeclarations: many(bytes, (i) => ({ name: `f${i}`, parameters: deepSchema })),
            },
          ],
        }),
      "unknown members": (bytes) => base(members(bytes)),
      underscores: (bytes) => base({ [`a${"_".repeat(bytes)}b`]: 1 }),
      stops: (bytes) => base({ generationConfig: { stopSequences: many(bytes, (i) => `s${i}`) } }),
    }),
  ];
}

const BY_WIRE: Readonly<Record<Endpoint, () => HostileBody[]>> = {
  chat: chatBodies,
  responses: responsesBodies,
  messages: messagesBodies,
  gemini: geminiBodies,
};

export function hostileBodies(wire: Endpoint): readonly HostileBody[] {
  return BY_WIRE[wire]();
}
