// Somebody else's server that is called when something happens.
import { createHmac, timingSafeEqual } from "node:crypto";

interface ReceivedCall {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface HookReceiver {
  readonly url: string;
  readonly port: number;
  readonly calls: readonly ReceivedCall[];
  /** How the next calls are answered. */
  answer(make: () => Response | Promise<Response>): void;
  close(): Promise<void>;
}

export function startHookReceiver(): HookReceiver {
  const calls: ReceivedCall[] = [];
  let make: () => Response | Promise<Response> = () => new Response("thanks");
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      calls.push({ path: pathname, headers: request.headers, body: await request.text() });
      return make();
    },
  });
  const port = server.port ?? 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    calls,
    answer(next) {
      make = next;
    },
    close: () => server.stop(true),
  };
}

/** As a receiver checks it: by what the header says, what was sent and the secret alone. */
export function isSigned({ headers, body }: ReceivedCall, secret: string): boolean {
  const header = headers.get("x-faregate-signature") ?? "";
  const [, time = "", given = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const sum = createHmac("sha256", secret).update(`${time}.${body}`).digest();
  const bytes = Buffer.from(given, "hex");
  return bytes.length === sum.length && timingSafeEqual(bytes, sum);
}
