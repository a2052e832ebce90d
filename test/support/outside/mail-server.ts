// A mail server that takes everything, or refuses when told, and keeps what it took.
import { createServer, type Socket } from "node:net";

interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers by their names in lower case, encoded words as they came. */
  readonly headers: Readonly<Record<string, string>>;
  /** Everything behind the headers, as it came. */
  readonly body: string;
}

export interface MailServer {
  /** What FAREGATE_SMTP_URL is set to. */
  readonly url: string;
  readonly mails: readonly TakenMail[];
  /** The next so many recipients are answered with "try again later", or with these words. */
  refuse(count: number, answer?: string): void;
  close(): Promise<void>;
}

interface Conversation {
  from: string;
  to: string[];
}

function readMail(conversation: Conversation, data: string): TakenMail {
  const split = data.indexOf("\r\n\r\n");
  const lines = data
    .slice(0, split)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const body = data.slice(split + 4);
  return { ...conversation, headers: Object.fromEntries(headers), body };
}

/** The parts of a mail with several, decoded, by their content type. */
export function partsOf({ headers, body }: TakenMail): Record<string, string> {
  const boundary = /boundary="?([^";]+)/.exec(headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) throw new Error("the mail has one part");
  const parts: Record<string, string> = {};
  for (const part of body.split(`--${boundary}`).slice(1, -1)) {
    const { headers: own, body: text } = readMail({ from: "", to: [] }, part.trimStart());
    const type = own["content-type"]?.split(";", 1)[0] ?? "";
    const encoding = own["content-transfer-encoding"];
    parts[type] = decode(text.trimEnd(), encoding);
  }
  return parts;
}

function decode(text: string, encoding: string | undefined): string {
  if (encoding === "base64") return Buffer.from(text, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return text;
  const bytes = text
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_match, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** The words of a mail, whether it has one part or several. */
export function wordsOf(mail: TakenMail): string {
  const several = mail.headers["content-type"]?.startsWith("multipart/");
  if (several) return partsOf(mail)["text/plain"] ?? "";
  return decode(mail.body, mail.headers["content-transfer-encoding"]);
}

export async function startMailServer(): Promise<MailServer> {
  const mails: TakenMail[] = [];
  const sockets = new Set<Socket>();
  let refusals = 0;
  let refusal = "";

  function answer(line: string, conversation: Conversation): string {
    const [, address = ""] = /<([^>]*)>/.exec(line) ?? [];
    // Offers a login that it then gives to nobody.
    if (/^EHLO/i.test(line)) return "250-mail.test\r\n250 AUTH PLAIN";
    if (/^AUTH/i.test(line)) return "535 not with this password";
    if (/^(?:HELO|RSET|NOOP)/i.test(line)) return "250 ok";
    if (/^MAIL/i.test(line)) {
      conversation.from = address;
      return "250 ok";
    }
    if (/^RCPT/i.test(line)) {
      if (refusals-- > 0) return refusal;
      conversation.to.push(address);
      return "250 ok";
    }
    if (/^DATA/i.test(line)) return "354 go on";
    return /^QUIT/i.test(line) ? "221 bye" : "502 not here";
  }

  function converse(socket: Socket): void {
    let conversation: Conversation = { from: "", to: [] };
    let pending = "";
    let inData = false;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.write("220 mail.test\r\n");
    socket.on("data", (chunk) => {
      pending += chunk.toString("latin1");
      for (;;) {
        const end = inData ? "\r\n.\r\n" : "\r\n";
        const at = pending.indexOf(end);
        if (at < 0) return;
        const text = pending.slice(0, at);
        pending = pending.slice(at + end.length);
        if (inData) {
          const data = Buffer.from(text.replace(/\r\n\./g, "\r\n"), "latin1");
          mails.push(readMail(conversation, data.toString("utf8")));
          conversation = { from: "", to: [] };
          inData = false;
          socket.write("250 taken\r\n");
        } else {
          const line = answer(text, conversation);
          inData = line.startsWith("354");
          socket.write(`${line}\r\n`);
        }
      }
    });
  }

  const server = createServer(converse);
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse(count, answer = "451 try again later") {
      refusals = count;
      refusal = answer;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
