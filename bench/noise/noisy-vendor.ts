// A vendor that begins to answer and then sends megabytes that say nothing, as a process of its own.
//
// PORT        the port on 127.0.0.1
// MIB         how many megabytes follow the beginning of each stream
import type { Endpoint } from "../../src/protocols/wire.ts";
import { STREAMS } from "../streams/vendor-streams.ts";
import { NOISES } from "./noises.ts";

const bytes = Number(process.env.MIB) * 1024 * 1024;

const ENDPOINTS: readonly (readonly [path: RegExp, endpoint: Endpoint])[] = [
  [/\/chat\/completions$/, "chat"],
  [/\/responses$/, "responses"],
  [/\/messages$/, "messages"],
  [/:streamGenerateContent$/, "gemini"],
];

/** The noise that a question names. */
const made = new Map<string, Buffer>();
function noiseFor(question: string): Buffer {
  const name = Object.keys(NOISES).find((each) => question.includes(`noise: ${each}`)) ?? "";
  const known = made.get(name);
  if (known) return known;
  const noise = Buffer.alloc(bytes, NOISES[name]);
  made.set(name, noise);
  return noise;
}

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT),
  idleTimeout: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/healthz") return new Response("ok");
    const endpoint = ENDPOINTS.find(([path]) => path.test(pathname))?.[1];
    if (!endpoint) return Response.json({ data: [] });
    const noise = noiseFor(await request.text());
    const { beginning, delta } = STREAMS[endpoint];
    const body = Buffer.concat([Buffer.from(beginning + delta(0)), noise]);
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  },
});
