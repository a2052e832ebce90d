// The yardstick: the least a metering relay on Bun can do. It keeps no ledger and checks no key.
const upstream = `${process.env.UPSTREAM_URL}/chat/completions`;
let meteredTokens = 0;
type Metered = { usage: { total_tokens: number } };

function meter(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let tail: Uint8Array[] = [];
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) {
        tail = [...tail.slice(-2), value];
        return controller.enqueue(value);
      }
      const usage = /"total_tokens":(\d+)/.exec(Buffer.concat(tail).toString("latin1"));
      meteredTokens += Number(usage?.[1] ?? 0);
      controller.close();
    },
  });
}

async function relay(request: Request): Promise<Response> {
  if (request.method === "GET") return new Response(String(meteredTokens));
  const text = await request.text();
  const { stream } = JSON.parse(text) as { stream?: boolean };
  const answer = await fetch(upstream, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer sk-mock" },
    body: text,
  });
  const headers = { "content-type": answer.headers.get("content-type") ?? "" };
  if (stream && answer.body) return new Response(meter(answer.body), { headers });
  const body = await answer.text();
  meteredTokens += (JSON.parse(body) as Metered).usage.total_tokens;
  return new Response(body, { status: answer.status, headers });
}

Bun.serve({ hostname: "127.0.0.1", port: Number(process.env.PORT), idleTimeout: 0, fetch: relay });
