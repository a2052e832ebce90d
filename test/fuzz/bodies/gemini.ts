import {
  deepSchema,
  type HostileBody,
  type Json,
  lists,
  many,
  members,
  schema,
  texts,
} from "./making.ts";

export function geminiBodies(): HostileBody[] {
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
      "one tool to choose, named again and again": (bytes) => {
        const functionDeclarations = many(bytes / 4, (i) => ({ name: `f${i}` }));
        const last = `f${functionDeclarations.length - 1}`;
        const allowedFunctionNames = many(bytes * 0.4, () => last);
        const functionCallingConfig = { mode: "ANY", allowedFunctionNames };
        return base({ tools: [{ functionDeclarations }], toolConfig: { functionCallingConfig } });
      },
      "a search to choose that is not offered": (bytes) =>
        base({
          tools: [{ functionDeclarations: many(bytes / 4, (i) => ({ name: `f${i}` })) }],
          toolConfig: {
            functionCallingConfig: {
              mode: "VALIDATED",
              allowedFunctionNames: many(bytes / 2, () => "web_search"),
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
