import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { hostOf } from "./private-address.ts";
import {
  type AddressFilter,
  isUnsent,
  judgedLookup,
  readAnswer,
  readTarget,
  type SafeFetchCall,
  SafeFetchError,
  type SafeFetchResponse,
} from "./safe-fetch.ts";

const PROXY_REFUSED = 407;
const KINDS = ["http:", "https:"];

/** A proxy that a call goes by. */
export interface ProxyChoice {
  readonly url: string;
  /** The operator's may be anywhere; that of somebody else is judged as any address of theirs. */
  readonly isOperators: boolean;
}

interface Way {
  readonly proxy: URL;
  readonly target: URL;
  readonly lookup: ReturnType<typeof judgedLookup> | undefined;
  readonly signal: AbortSignal;
}

/** Nothing has left for the platform: the proxy stood in the way. */
function proxyError({ origin }: URL, words: string): SafeFetchError {
  return new SafeFetchError("proxy", `The proxy ${origin} ${words}`, false);
}

function wordsOf(thrown: unknown): string {
  const { code, message } = thrown as { code?: string; message?: string };
  return code ?? message ?? String(thrown);
}

/** A percent sign that encodes nothing stands for itself: people write passwords as they are. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}

/** What the proxy wants to know of us; name and password are written in its address. */
function credentials({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** Asks the proxy itself: for a tunnel, or for all of an address that is not encrypted. */
function askProxy(
  { proxy, lookup }: Way,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
) {
  const begin = proxy.protocol === "https:" ? requestHttps : requestHttp;
  return begin({
    ...{ host: hostOf(proxy), port: proxy.port || (proxy.protocol === "https:" ? 443 : 80) },
    ...{ method, path, agent: false },
    headers: { ...headers, ...credentials(proxy) },
    ...(lookup && { lookup }),
  });
}

/** Ends what has been opened when the time is over; returns what ends this watch. */
function endWith(signal: AbortSignal, end: () => void): () => void {
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  return () => signal.removeEventListener("abort", end);
}

/** A connection to the target by the proxy. Whatever fails here fails before anything is sent. */
function openTunnel(way: Way): Promise<Socket> {
  const { proxy, target, signal } = way;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const place = `${target.hostname}:${target.port || 443}`;
  const request = askProxy(way, "CONNECT", place, { host: place });
  const refuse = ({ statusCode = 0, statusMessage = "" }: IncomingMessage) =>
    reject(
      proxyError(proxy, `refused the call: ${statusCode} ${statusMessage}`.trim().concat(".")),
    );
  request.on("connect", (answer, socket: Socket) => {
    if (answer.statusCode === 200) return resolve(socket);
    refuse(answer);
    socket.destroy();
  });
  request.on("response", (answer) => {
    refuse(answer);
    answer.destroy();
  });
  request.on("error", (thrown) =>
    reject(
      thrown instanceof SafeFetchError
        ? thrown
        : proxyError(proxy, `could not be reached: ${wordsOf(thrown)}.`),
    ),
  );
  // One that speaks another protocol (101) is closed without an answer and without an error.
  request.on("close", () => reject(proxyError(proxy, "opened no tunnel.")));
  const stop = endWith(signal, () => {
    reject(proxyError(proxy, "opened no tunnel in time."));
    request.destroy();
  });
  request.end();
  return promise.finally(stop);
}

/** The target proves who it is; the proxy sees nothing of what is said. */
async function encrypt(socket: Socket, { target, proxy, signal }: Way): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const fail = (words: string) => {
    const message = `${target.origin} could not be called by the proxy ${proxy.origin}: ${words}.`;
    reject(new SafeFetchError("unreachable", message, false));
    socket.destroy();
  };
  const host = hostOf(target);
  // An address without a name cannot be asked for by TLS; the certificate has to be for it all the same.
  const secured = connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }) });
  secured.once("secureConnect", () => resolve(secured));
  secured.on("error", (thrown) => fail(wordsOf(thrown)));
  secured.once("close", () => fail("the connection was closed"));
  const stop = endWith(signal, () => fail("no encrypted connection in time"));
  return promise.finally(stop);
}

function unreachable({ target, proxy }: Way, thrown: unknown): SafeFetchError {
  const message = `${target.origin} could not be called by the proxy ${proxy.origin}: ${wordsOf(thrown)}.`;
  return new SafeFetchError("unreachable", message, false);
}

/** The request to the target, in the tunnel or in the hands of the proxy. */
async function begin(way: Way, call: SafeFetchCall) {
  const { target } = way;
  const { method = "GET", body } = call;
  const headers = {
    host: target.host,
    "accept-encoding": "identity",
    ...call.headers,
    ...(body && { "content-length": String(body.length) }),
  };
  if (target.protocol === "http:") return askProxy(way, method, target.href, headers);
  const tunnel = await openTunnel(way);
  const secured = await encrypt(tunnel, way).catch((thrown: unknown) => {
    tunnel.destroy();
    throw thrown;
  });
  return requestHttp({
    ...{ host: hostOf(target), method, path: target.pathname + target.search },
    headers: { ...headers, connection: "close" },
    createConnection: () => secured,
  });
}

async function exchange(way: Way, call: SafeFetchCall): Promise<SafeFetchResponse> {
  const { target, proxy, signal } = way;
  const request = await begin(way, call).catch((thrown: unknown) => {
    throw thrown instanceof SafeFetchError ? thrown : unreachable(way, thrown);
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on("response", resolve);
  request.on("error", reject);
  request.on("close", () => reject(new Error("the connection was closed")));
  const stop = endWith(signal, () => {
    reject(signal.reason);
    request.destroy();
  });
  try {
    request.end(call.body);
    const answer = await promise;
    const status = answer.statusCode ?? 0;
    if (status === PROXY_REFUSED) {
      answer.destroy();
      throw proxyError(proxy, `refused the call: ${status}.`);
    }
    if (status >= 300 && status < 400 && answer.headers.location !== undefined) {
      answer.destroy();
      const message = `${target.origin} redirects; no redirects are followed by a proxy.`;
      throw new SafeFetchError("redirects", message, true);
    }
    const bytes = await readAnswer(answer, call.bytesMax, signal);
    return { status, headers: answer.headers, bytes, url: target.href };
  } finally {
    stop();
    request.destroy();
  }
}

function toError(
  thrown: unknown,
  { target, proxy }: Pick<Way, "target" | "proxy">,
): SafeFetchError {
  if (thrown instanceof SafeFetchError) {
    // The only address that is looked up here is the proxy's.
    return thrown.reason === "address_private"
      ? proxyError(proxy, "is in a private network.")
      : thrown;
  }
  // A tunnel that stands is connected already, so it is the proxy that was not.
  if (isUnsent(thrown)) return proxyError(proxy, `could not be reached: ${wordsOf(thrown)}.`);
  const words = `${target.origin} could not be called by the proxy ${proxy.origin}: ${wordsOf(thrown)}.`;
  return new SafeFetchError("broken", words, true);
}

/**
 * Calls an address by a forward proxy, which looks up its name. So that nobody reaches by an
 * operator's proxy what is inside of his network, it is only for addresses that he has chosen. No
 * redirect is followed. Bun's own `proxy` is not used: it calls directly, and unjudged, whatever
 * NO_PROXY names.
 */
export async function proxiedFetch(
  address: string,
  choice: ProxyChoice,
  filter: AddressFilter,
  call: SafeFetchCall,
): Promise<SafeFetchResponse> {
  const target = readTarget(address, filter);
  const proxy = new URL(choice.url);
  if (!KINDS.includes(proxy.protocol)) throw proxyError(proxy, "is of a kind that is not known.");
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    const message = `${target.origin} took longer than ${call.deadlineMs} ms by ${proxy.origin}.`;
    deadline.abort(new SafeFetchError("deadline", message, true));
  }, call.deadlineMs);
  const base = { proxy, target, signal: deadline.signal };
  // What is open to calls of ours is not therefore a proxy.
  const strict = { ...filter, isExempt: () => false };
  try {
    const lookup = choice.isOperators ? undefined : judgedLookup(proxy, strict);
    return await exchange({ ...base, lookup }, call);
  } catch (thrown) {
    throw toError(thrown, base);
  } finally {
    clearTimeout(timer);
  }
}
