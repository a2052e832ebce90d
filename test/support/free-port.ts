/** Below what systems give to whoever asks for any port: from 32,768 on Linux, from 49,152 elsewhere. */
const PORT_MIN = 20_000;
export const PORT_MAX = 32_000;

function isTaken(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "EADDRINUSE";
}

/**
 * A port for a server that must be told one. No call and no server that takes any port is given one of these by
 * the system meanwhile; another who asks here is so by one chance in thousands.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN));
    try {
      const server = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response() });
      await server.stop(true);
      return port;
    } catch (thrown) {
      if (!isTaken(thrown)) throw thrown;
    }
  }
}
