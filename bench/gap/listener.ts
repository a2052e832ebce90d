// Clients of streams, as a process of their own, so that nothing but the gateway can hold up what they hear.
//
// PORT        where it tells the longest pause: GET /take, since it was last asked
// GATEWAY     the gateway's port on 127.0.0.1
// KEY, MODEL  what the streams are asked with
// STREAMS     how many there are
const { PORT, GATEWAY, KEY, MODEL, STREAMS } = process.env;

/** What was heard since it was last asked. */
let heard = { longestMs: 0, reads: 0 };
let open = 0;
let failure = "";

async function listen(): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${GATEWAY}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: MODEL,
      messages: [{ role: "user", content: "Say hello as often as you can." }],
      stream: true,
    }),
  });
  if (!response.body || response.status !== 200) throw new Error(await response.text());
  open += 1;
  let last = performance.now();
  for await (const _ of response.body) {
    const now = performance.now();
    heard.longestMs = Math.max(heard.longestMs, now - last);
    heard.reads += 1;
    last = now;
  }
  throw new Error("a stream has ended");
}

for (let i = 0; i < Number(STREAMS); i++) {
  listen().catch((thrown) => {
    failure = String(thrown);
  });
}

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(PORT),
  fetch(request) {
    if (failure !== "") return new Response(failure, { status: 500 });
    if (new URL(request.url).pathname !== "/take") {
      return new Response("", { status: open === Number(STREAMS) ? 200 : 503 });
    }
    const taken = heard;
    heard = { longestMs: 0, reads: 0 };
    return Response.json(taken);
  },
});
