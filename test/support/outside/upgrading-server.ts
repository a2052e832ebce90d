// A server that speaks another protocol at once, which nobody has asked it for.
const ANSWER =
  "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: something\r\n\r\n";

export interface UpgradingServer {
  readonly url: string;
  close(): void;
}

export function startUpgradingServer(): UpgradingServer {
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.write(ANSWER) },
  });
  return { url: `http://127.0.0.1:${server.port}/hook`, close: () => server.stop(true) };
}
