import { Fault } from "../../lib/faults.ts";
import type { FaceName } from "../faces.ts";

/** Something that a vendor's clients know and this gateway has not. */
interface Unoffered {
  readonly face: FaceName;
  /** Whether it is said to every client, in the words of its own. */
  readonly anyClient?: true;
  /** This path and all below it; `{id}` is any one piece. */
  readonly path: string;
  /** That it is not there, and what is instead. */
  readonly says: string;
}

const FILES = "Files are not kept here; send them inside the request.";
const BATCHES = "Batches are not offered; send the requests one by one.";
const MEDIA = "Only text has a price here: audio, images and video are not made, heard or edited.";
const AGENTS = "Agents are not run here; run the loop and its tools yourself.";

const openai: Readonly<Record<string, string>> = {
  "/v1/assistants": "Assistants are not offered; use POST /v1/responses.",
  "/v1/audio": MEDIA,
  "/v1/batches": BATCHES,
  "/v1/chat/completions/{id}":
    "Chat completions are not kept; use POST /v1/responses, whose answers are.",
  "/v1/chatkit": AGENTS,
  "/v1/completions": "Completions without messages are not offered; use POST /v1/chat/completions.",
  "/v1/containers": "Containers are not offered; run code yourself and send what it printed.",
  "/v1/conversations":
    "Conversations are not kept as objects; continue with 'previous_response_id'.",
  "/v1/evals": "Evaluations are not offered.",
  "/v1/files": FILES,
  "/v1/fine_tuning": "Fine-tuning is not offered; GET /v1/models lists what can be called.",
  "/v1/images": MEDIA,
  "/v1/moderations": "Moderation is not offered.",
  "/v1/organization": "The vendor's account is not managed here; the console is at /console.",
  "/v1/realtime": "Realtime sessions are not offered; stream POST /v1/responses, or its WebSocket.",
  "/v1/responses/{id}/cancel":
    "Responses do not run in the background; close the connection to end one.",
  "/v1/skills": AGENTS,
  "/v1/threads": "Threads are not offered; use POST /v1/responses.",
  "/v1/uploads": FILES,
  "/v1/vector_stores":
    "Vector stores are not offered; search yourself and send what was found. " +
    "POST /v1/embeddings makes the vectors.",
  "/v1/videos": MEDIA,
};

const messages: Readonly<Record<string, string>> = {
  "/v1/agents": AGENTS,
  "/v1/complete": "Text completions are not offered; use POST /v1/messages.",
  "/v1/environments": AGENTS,
  "/v1/files": FILES,
  "/v1/messages/batches": BATCHES,
  "/v1/organizations": "The vendor's account is not managed here; the console is at /console.",
  "/v1/sessions": AGENTS,
  "/v1/skills": AGENTS,
};

/** Below both versions of Google's paths. */
const gemini: Readonly<Record<string, string>> = {
  "/auth_tokens": "Tokens for clients are not offered; make a key with a budget of its own.",
  "/batches": BATCHES,
  "/cachedContents": "Caches are not kept here; send the whole conversation.",
  "/corpora": "Corpora are not offered; search yourself and send what was found.",
  "/fileSearchStores": "File search is not offered; search yourself and send what was found.",
  "/files": FILES,
  "/interactions": "Interactions are not offered; use models/{id}:generateContent.",
  "/operations": "Nothing runs in the background here, so there are no operations.",
  "/tunedModels": "Fine-tuning is not offered; GET /v1beta/models lists what can be called.",
};

/** Methods of models, as the last word of their path. */
const GEMINI_METHODS: Readonly<Record<string, string>> = {
  asyncBatchEmbedContent: BATCHES,
  batchGenerateContent: BATCHES,
  bidiGenerateContent: "Live sessions are not offered; use :streamGenerateContent.",
  predict: MEDIA,
  predictLongRunning: MEDIA,
};

const RERANK = "Reranking is not offered; compare vectors of POST /v1/embeddings yourself.";
const MODEL_INFO = "GET /v1/models lists the models with prices, context and parameters.";
const OLLAMA =
  "Ollama's API is not offered; use an OpenAI client, with /v1 as the end of its base URL.";

/** What clients of other gateways and servers ask for. */
const others: Readonly<Record<string, string>> = {
  "/api/chat": OLLAMA,
  "/api/embed": OLLAMA,
  "/api/generate": OLLAMA,
  "/api/show": OLLAMA,
  "/api/tags": OLLAMA,
  "/api/version": OLLAMA,
  "/health":
    "GET /healthz says whether the gateway runs, and GET /readyz whether it takes requests.",
  "/key/info": "GET /v1/key shows the key that asks, with its budgets and limits.",
  "/model/info": MODEL_INFO,
  "/v1/model/info": MODEL_INFO,
  "/openai/deployments":
    "Azure's paths are not offered; use an OpenAI client, with /v1 as the end of its base URL, and " +
    "name the model in the body.",
  "/rerank": RERANK,
  "/v1/rerank": RERANK,
  "/v2/rerank": RERANK,
};

const GEMINI_VERSIONS = ["/v1beta", "/v1"];
const LIVE = "Live sessions are not offered; use :streamGenerateContent.";

function rowsOf(face: FaceName, table: Readonly<Record<string, string>>, under = ""): Unoffered[] {
  return Object.entries(table).map(([path, says]) => ({ face, path: under + path, says }));
}

/** All that is asked for and not offered, as docs/wires.md lists it. */
export const UNOFFERED: readonly Unoffered[] = [
  ...rowsOf("openai", openai),
  ...rowsOf("messages", messages),
  ...GEMINI_VERSIONS.flatMap((version) => [
    ...rowsOf("gemini", gemini, version),
    ...rowsOf("gemini", GEMINI_METHODS, `${version}/models/{id}:`),
  ]),
  { face: "gemini", path: "/upload", says: FILES },
  { face: "gemini", path: "/ws", says: LIVE },
  ...rowsOf("openai", others).map((row) => ({ ...row, anyClient: true as const })),
];

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll("{id}", "[^/]+")}(?:/|$)`);
}

const PATTERNS = UNOFFERED.map((row) => ({ ...row, pattern: patternOf(row.path) }));

/** Why there is nothing at a path that a vendor's clients know; undefined where none does. */
export function unofferedFault(face: FaceName, path: string): Fault | undefined {
  const meant = path.replace(/\/{2,}/g, "/");
  const row = PATTERNS.find(
    (each) => (each.face === face || each.anyClient) && each.pattern.test(meant),
  );
  return row && new Fault("not_offered", row.says);
}
