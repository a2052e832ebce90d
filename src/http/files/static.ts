import { Fault } from "../../lib/faults.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import type { ConsoleFile, ConsoleSource, ConsoleTree, Encoding } from "./console-files.ts";

const PREFIX = "/console/";
const PAGE = "index.html";
/** The material page of the platform: it stands by itself, with the files of the console. */
const MATERIAL_PAGE = "material.html";
const MATERIAL_PATH = "/platform/material";
/** The description of the API with forms to try it: open, as the description is. */
const API_PAGE = "api.html";
const API_PATH = "/docs/api";
const YEAR = "public, max-age=31536000, immutable";

/**
 * Scripts and styles only from our own files, nothing inline, nobody may frame us. Pictures may be
 * data: what a model draws in the playground arrives that way.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  // Articles are shown in frames whose documents allow even less.
  "frame-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SECURITY_HEADERS = {
  "content-security-policy": POLICY,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
} as const;

/** The best encoding that the client takes; `q=0` is a refusal. */
function encodingFor(accepted: string | null, file: ConsoleFile): Encoding | undefined {
  const taken = (accepted ?? "")
    .split(",")
    .map((item) =>
      item
        .toLowerCase()
        .split(";")
        .map((part) => part.trim()),
    )
    .filter(([, quality]) => !/^q=0(?:\.0*)?$/.test(quality ?? ""))
    .map(([name]) => name);
  return (["br", "gzip"] as const).find((name) => file.packed[name] && taken.includes(name));
}

function answer(request: Request, file: ConsoleFile): Response {
  const encoding = encodingFor(request.headers.get("accept-encoding"), file);
  const headers: Record<string, string> = {
    ...SECURITY_HEADERS,
    "content-type": file.type,
    "cache-control": file.hashed ? YEAR : "no-cache",
    vary: "accept-encoding",
    etag: file.tag,
    ...(encoding && { "content-encoding": encoding }),
  };
  if (request.headers.get("if-none-match") === file.tag) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(encoding ? file.packed[encoding] : file.plain, { headers });
}

/** Whoever comes first waits for a build, which a slow machine needs longer for than clients may be silent. */
function treeFor(incoming: Incoming, files: ConsoleSource): Promise<ConsoleTree> {
  if (!files.built) incoming.keepOpen();
  return files.tree();
}

/** Every path below `/console` that is no file is a page of the application, which knows them. */
async function serve(files: ConsoleSource, incoming: Incoming): Promise<Response> {
  const { request, url } = incoming;
  const tree = await treeFor(incoming, files);
  const name = url.pathname.slice(PREFIX.length);
  const asset = name.startsWith("assets/") ? tree.get(name) : tree.get(PAGE);
  if (!asset) throw new Fault("not_found", "There is no such file in the console.");
  return answer(request, asset);
}

/** The console's pages and files. */
export function consolePages(files: ConsoleSource): readonly Route[] {
  const handle = (incoming: Incoming) => serve(files, incoming);
  const home = async () =>
    new Response(null, { status: 302, headers: { ...SECURITY_HEADERS, location: "/console" } });
  return [
    { method: "GET", path: "/", hosts: "own", handle: home },
    { method: "GET", path: "/console", hosts: "own", handle },
    { method: "GET", path: "/console/*", hosts: "own", handle },
    ...(files.routes ?? []),
  ];
}

/** Who has a session: the cookies that go back to them. */
type FindSession = (incoming: Incoming) => Promise<readonly string[] | undefined>;

/** The way back is a path of ours whatever was asked for: only its query is the visitor's. */
function signInFirst({ url }: Incoming): Response {
  const back = new URLSearchParams({ to: `${MATERIAL_PATH}${url.search}` });
  const location = `/console/sign-in?${back}`;
  const headers = { ...SECURITY_HEADERS, location, "cache-control": "no-store" };
  return new Response(null, { status: 302, headers });
}

async function document(files: ConsoleSource, incoming: Incoming, name: string): Promise<Response> {
  const page = (await treeFor(incoming, files)).get(name);
  if (!page) throw new Fault("not_found", "This installation has no such page.");
  return answer(incoming.request, page);
}

export function apiPage(files: ConsoleSource): Route {
  const handle = (incoming: Incoming) => document(files, incoming, API_PAGE);
  return { method: "GET", path: API_PATH, hosts: "own", handle };
}

export function materialPage(files: ConsoleSource, findSession: FindSession): Route {
  return {
    method: "GET",
    path: MATERIAL_PATH,
    hosts: "own",
    async handle(incoming) {
      const cookies = await findSession(incoming);
      if (!cookies) return signInFirst(incoming);
      const response = await document(files, incoming, MATERIAL_PAGE);
      for (const cookie of cookies) response.headers.append("set-cookie", cookie);
      return response;
    },
  };
}
