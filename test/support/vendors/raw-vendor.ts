// A vendor on bare sockets that does with each request whatever a test says, over TCP or TLS.
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createSecureServer, type TLSSocket } from "node:tls";
import type { ServerCertificate } from "../samples/vendor-certificates.ts";

/** One whole request, as it came. */
export interface RawRequest {
  readonly head: string;
  readonly body: string;
  readonly socket: Socket;
  /** Which request of its connection it is, from 1. */
  readonly turn: number;
}

interface Options {
  readonly certificate?: ServerCertificate;
  /** Takes the bytes of a connection instead of reading requests from them. */
  connected?(socket: Socket): void;
}

const LENGTH = /\r\ncontent-length: (\d+)/i;

export class RawVendor {
  readonly requests: RawRequest[] = [];
  readonly sockets = new Set<Socket>();
  /** Every connection that there ever was. */
  connections = 0;
  readonly #server: Server;
  readonly #isSecure: boolean;

  private constructor(play: (request: RawRequest) => void, { certificate, connected }: Options) {
    this.#isSecure = certificate !== undefined;
    const accept = (socket: Socket) => {
      this.#accept(socket);
      if (connected) connected(socket);
      else this.#read(socket, play);
    };
    this.#server = certificate
      ? createSecureServer({ ...certificate, ALPNProtocols: ["h2", "http/1.1"] }, accept)
      : createServer(accept);
    // A client that does not trust us hangs up in the middle of it.
    this.#server.on("tlsClientError", () => {});
  }

  static async start(
    play: (request: RawRequest) => void,
    options: Options = {},
  ): Promise<RawVendor> {
    const vendor = new RawVendor(play, options);
    const { promise, resolve } = Promise.withResolvers<void>();
    vendor.#server.listen(0, "127.0.0.1", resolve);
    await promise;
    return vendor;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** By a name, so that a certificate has something to be for. */
  get origin(): string {
    return `${this.#isSecure ? "https" : "http"}://localhost:${this.port}`;
  }

  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    for (const socket of this.sockets) socket.destroy();
    await promise;
  }

  #accept(socket: Socket | TLSSocket): void {
    this.connections += 1;
    this.sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => this.sockets.delete(socket));
  }

  #read(socket: Socket, play: (request: RawRequest) => void): void {
    let bytes = Buffer.alloc(0);
    let turn = 0;
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (;;) {
        const end = bytes.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = bytes.toString("latin1", 0, end);
        const size = end + 4 + Number(LENGTH.exec(head)?.[1] ?? 0);
        if (bytes.length < size) return;
        turn += 1;
        const request = { head, body: bytes.toString("utf8", end + 4, size), socket, turn };
        bytes = bytes.subarray(size);
        this.requests.push(request);
        play(request);
      }
    });
  }
}
