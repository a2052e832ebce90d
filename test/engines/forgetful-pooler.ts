// Stands between a store and PostgreSQL and forgets between two transactions all that a session knows, as a pooler
// does that deals out connections by the transaction. With npm packages alone; `*.full.test.ts` has a real one.
import type { Socket } from "bun";

const SSL_REQUEST = 80_877_103;
/** Settings that any pooler knows; of all others it is told what becomes of them. */
const KNOWN = [
  ...["user", "database", "application_name", "client_encoding"],
  ...["datestyle", "timezone", "standard_conforming_strings"],
];
const [READY, QUERY, SYNC, PARSE, IDLE] = ["Z", "Q", "S", "P", "I"].map((letter) =>
  letter.charCodeAt(0),
);

interface Link {
  readonly client: Socket<Link>;
  server: Socket<Link> | undefined;
  fromClient: Buffer;
  fromServer: Buffer;
  /** The first message has come, which has no letter. */
  isStarted: boolean;
  /** The handshake is over. */
  isReady: boolean;
  /** What the server is asked for at the moment, and whether that is to forget. */
  asks: "nothing" | "client" | "discard";
  unit: Buffer[];
  units: Buffer[];
}

type Unknown = "refused" | "dropped" | "passed";

function framed(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const DISCARD = framed("Q", Buffer.from("discard all\0"));

/** As PgBouncer says it. */
function refusalOf(name: string): Buffer {
  const fields = ["SFATAL", "C08P01", `Munsupported startup parameter: ${name}`, ""];
  return framed("E", Buffer.from(`${fields.join("\0")}\0`));
}

/** The first message without the settings that are not known, and their names. */
function withoutUnknown(message: Buffer): { message: Buffer; unknown: string[] } {
  const words = message.subarray(8).toString().split("\0");
  const kept: string[] = [];
  const unknown: string[] = [];
  for (let i = 0; words[i]; i += 2) {
    const [name, value] = [words[i] as string, words[i + 1] as string];
    if (KNOWN.includes(name.toLowerCase())) kept.push(name, value);
    else unknown.push(name);
  }
  const body = Buffer.from(`${kept.map((word) => `${word}\0`).join("")}\0`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  message.copy(head, 4, 4, 8);
  return { message: Buffer.concat([head, body]), unknown };
}

/** Whole frames at the beginning, each with its letter, and what is left. */
function takeFrames(bytes: Buffer): { frames: Buffer[]; rest: Buffer } {
  const frames: Buffer[] = [];
  let at = 0;
  while (bytes.length - at >= 5) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    if (end > bytes.length) break;
    frames.push(bytes.subarray(at, end));
    at = end;
  }
  return { frames, rest: bytes.subarray(at) };
}

export class ForgetfulPooler {
  readonly #behind: URL;
  readonly #unknown: Unknown;
  readonly #listener: Bun.TCPSocketListener<Link>;
  /** Statements that were prepared under a name, which nobody would know any more. */
  named = 0;

  /** `unknown`: what becomes of settings that come with a connection. */
  constructor(url: string, unknown: Unknown) {
    this.#behind = new URL(url);
    this.#unknown = unknown;
    this.#listener = Bun.listen<Link>({
      ...{ hostname: "127.0.0.1", port: 0 },
      socket: {
        open: (client) => {
          const empty = Buffer.alloc(0);
          client.data = {
            ...{ client, server: undefined, fromClient: empty, fromServer: empty },
            ...{ isStarted: false, isReady: false, asks: "nothing", unit: [], units: [] },
          };
        },
        data: (client, bytes) => {
          client.data.fromClient = Buffer.concat([client.data.fromClient, bytes]);
          this.#readClient(client.data);
        },
        close: (client) => void client.data.server?.end(),
      },
    });
  }

  /** Where a store finds the same database. */
  get url(): string {
    const url = new URL(this.#behind);
    url.port = String(this.#listener.port);
    return url.href;
  }

  stop(): void {
    this.#listener.stop(true);
  }

  #readClient(link: Link): void {
    if (!link.isStarted && !this.#readStart(link)) return;
    const { frames, rest } = takeFrames(link.fromClient);
    link.fromClient = rest;
    for (const frame of frames) {
      if (!link.isReady) {
        link.server?.write(frame);
        continue;
      }
      if (frame[0] === PARSE && frame[5] !== 0) this.named += 1;
      link.unit.push(frame);
      if (frame[0] !== SYNC && frame[0] !== QUERY) continue;
      link.units.push(Buffer.concat(link.unit.splice(0)));
    }
    this.#next(link);
  }

  /** True once the first message was passed on. */
  #readStart(link: Link): boolean {
    const { fromClient: bytes, client } = link;
    if (bytes.length < 8 || bytes.length < bytes.readUInt32BE(0)) return false;
    const first = bytes.subarray(0, bytes.readUInt32BE(0));
    link.fromClient = bytes.subarray(first.length);
    if (first.readUInt32BE(4) === SSL_REQUEST) {
      client.write("N");
      return this.#readStart(link);
    }
    const { message, unknown } = withoutUnknown(first);
    const [refused] = this.#unknown === "refused" ? unknown : [];
    if (refused !== undefined) {
      client.end(refusalOf(refused));
      return false;
    }
    link.isStarted = true;
    void this.#connect(link, this.#unknown === "passed" ? first : message);
    return true;
  }

  async #connect(link: Link, first: Buffer): Promise<void> {
    const { hostname, port } = this.#behind;
    link.server = await Bun.connect<Link>({
      ...{ hostname, port: Number(port), data: link },
      socket: {
        data: (_, bytes) => {
          link.fromServer = Buffer.concat([link.fromServer, bytes]);
          this.#readServer(link);
        },
        close: () => void link.client.end(),
      },
    });
    link.server.write(first);
  }

  #readServer(link: Link): void {
    const { frames, rest } = takeFrames(link.fromServer);
    link.fromServer = rest;
    for (const frame of frames) {
      if (link.asks !== "discard") link.client.write(frame);
      if (frame[0] !== READY) continue;
      const forgets = link.asks === "client" && frame[5] === IDLE;
      link.isReady = true;
      link.asks = forgets ? "discard" : "nothing";
      if (forgets) link.server?.write(DISCARD);
    }
    this.#next(link);
  }

  /** One thing after the other, so that it is known what each answer is about. */
  #next(link: Link): void {
    if (!link.isReady || link.asks !== "nothing") return;
    const unit = link.units.shift();
    if (!unit) return;
    link.asks = "client";
    link.server?.write(unit);
  }
}
