// A forward proxy as people have one for a fixed address: CONNECT for https, whole addresses for http.
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

type Mood = "good" | "refusing" | "closing" | "silent";

export class ForwardProxy {
  /** What was asked of it: the method and whom to. */
  readonly asked: string[] = [];
  mood: Mood = "good";
  readonly #server = createServer();
  readonly #sockets = new Set<Socket>();
  readonly #password: string | undefined;
  /** Names lead to this port of this machine, whatever they are. */
  readonly #targetPort: number;

  constructor(targetPort: number, password?: string) {
    this.#targetPort = targetPort;
    this.#password = password;
  }

  async listen(): Promise<this> {
    this.#server.on("connection", (socket) => this.#keep(socket));
    this.#server.on("connect", (request, socket) => this.#tunnel(request, socket as Socket));
    this.#server.on("request", (request, response) => {
      this.asked.push(`${request.method} ${request.url}`);
      if (this.mood === "silent") return;
      if (this.mood === "closing") return void request.socket.destroy();
      if (!this.#isKnown(request)) {
        response.writeHead(407, { "proxy-authenticate": "Basic" }).end();
        return;
      }
      response.end(JSON.stringify({ by: "proxy" }));
    });
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    return this;
  }

  /** With name and password, where they are given. */
  url(user = ""): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${user && `${user}@`}127.0.0.1:${port}`;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
  }

  #isKnown({ headers }: IncomingMessage): boolean {
    const wanted = `Basic ${Buffer.from(this.#password ?? "").toString("base64")}`;
    return this.#password === undefined || headers["proxy-authorization"] === wanted;
  }

  #tunnel(request: IncomingMessage, socket: Socket): void {
    this.asked.push(`CONNECT ${request.url}`);
    if (this.mood === "silent") return;
    if (this.mood === "closing") return void socket.destroy();
    if (!this.#isKnown(request)) {
      return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    }
    if (this.mood === "refusing") return void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const other = connect(this.#targetPort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      other.pipe(socket);
      socket.pipe(other);
    });
    this.#keep(other);
    other.on("close", () => socket.destroy());
    socket.on("close", () => other.destroy());
  }
}
