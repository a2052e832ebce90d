// Nobody reads what belongs to another account, nor a key what belongs to another key. One case for
// each route of the gateway: a route that is added without a case fails here.
import { beforeAll, describe, expect, test } from "bun:test";
import { readConfig } from "../../src/config/config.ts";
import { gatewayRoutes } from "../../src/gateway/routes.ts";
import type { Services } from "../../src/gateway/services.ts";
import { openWires } from "../../src/protocols/wires.ts";
import { keyFacts } from "../support/books.ts";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { CHAT, type JsonObject, MODEL, RESPONSES } from "../support/samples/wires.ts";

const { server } = await perFile(serve);

/** Keys of two accounts. `reader` keys may read their whole account, the others only their own. */
interface People {
  readonly owner: string;
  readonly ownerReader: string;
  readonly colleague: string;
  readonly stranger: string;
  readonly strangerReader: string;
}
let people: People;

/** Who must see nothing of the owner's. */
const OUTSIDERS = ["colleague", "stranger", "strangerReader"] as const;
type Outsider = (typeof OUTSIDERS)[number];

/** Something that the owner has said and got answered. */
interface Belonging {
  /** Stands in the question and in the answer, and nowhere else in the world. */
  readonly secret: string;
  readonly requestId: string;
  readonly responseId: string;
  readonly inputItemId: string;
  readonly outputItemId: string;
}

async function account(...readers: string[]): Promise<{ id: string; keys: string[] }> {
  const first = await server.account("1", "--account-read", readers[0] ?? "no");
  const keys = [first.key];
  for (const reads of readers.slice(1)) {
    const args = ["--account", first.accountId, "--name", "more", "--account-read", reads];
    keys.push((await server.command<{ key: string }>("key", "create", ...args)).key);
  }
  return { id: first.accountId, keys };
}

let ownerAccountId = "";

beforeAll(async () => {
  const [one, other] = await Promise.all([account("no", "yes", "no"), account("no", "yes")]);
  const [owner = "", ownerReader = "", colleague = ""] = one.keys;
  const [stranger = "", strangerReader = ""] = other.keys;
  people = { owner, ownerReader, colleague, stranger, strangerReader };
  ownerAccountId = one.id;
});

async function newBelonging(): Promise<Belonging> {
  const secret = `pearl${crypto.randomUUID().replaceAll("-", "")}`;
  const response = await server.post(
    "/responses",
    people.owner,
    RESPONSES.request(`Say ${secret}`),
  );
  const body = (await response.json()) as { id: string; output: { id: string }[] };
  expect(JSON.stringify(body)).toContain(secret);
  const requestId = response.headers.get("x-request-id") ?? "";
  const items = await server.fetch(`/responses/${body.id}/input_items`, people.owner);
  const { data } = (await items.json()) as { data: { id: string }[] };
  return {
    secret,
    requestId,
    responseId: body.id,
    inputItemId: data[0]?.id ?? "",
    outputItemId: body.output.at(-1)?.id ?? "",
  };
}

/** The answer says nothing of the owner's but what was asked with. */
async function textWithout(response: Response, belonging: Belonging): Promise<string> {
  const text = await response.clone().text();
  expect(text).not.toContain(belonging.secret);
  return text;
}

/** A path by an id of the owner's: 404 for outsiders, in the words for an id that never was. */
async function expectHidden(
  method: "GET" | "DELETE",
  path: (id: string) => string,
  ids: (belonging: Belonging) => string[],
  param: string,
): Promise<void> {
  const belonging = await newBelonging();
  for (const id of ids(belonging)) {
    const madeUp = id.replace(/.{12}$/, "0123456789ab");
    for (const name of OUTSIDERS) {
      const hidden = await server.fetch(path(id), people[name], { method });
      await textWithout(hidden, belonging);
      const { message } = await expectError(hidden, { status: 404, code: "not_found", param });
      const absent = await server.fetch(path(madeUp), people[name], { method });
      const other = await expectError(absent, { status: 404, code: "not_found", param });
      expect(message.replaceAll(id, "…")).toBe(other.message.replaceAll(madeUp, "…"));
    }
    // The same path is not empty: who may read it does, whatever the others have tried.
    for (const name of ["owner", "ownerReader"] as const) {
      if (method !== "GET") continue;
      const shown = await server.fetch(path(id), people[name]);
      expect(shown.status).toBe(200);
    }
  }
}

/** A request that refers to the owner's conversation is refused to outsiders. */
async function expectNoReference(path: string): Promise<void> {
  const belonging = await newBelonging();
  const { responseId, inputItemId, outputItemId } = belonging;
  const question = { role: "user", content: "What did I say?" };
  const previous = { model: MODEL, previous_response_id: responseId, input: [question] };
  const references = [inputItemId, outputItemId].flatMap((id) => [
    { model: MODEL, input: [{ type: "item_reference", id }, question] },
    { model: MODEL, input: [{ id }, question] },
  ]);
  const bodies: [JsonObject, string, string][] = [
    [previous, "previous_response_not_found", "previous_response_id"],
    ...references.map((body): [JsonObject, string, string] => [body, "item_not_found", "input"]),
  ];
  for (const [body, code, param] of bodies) {
    for (const name of OUTSIDERS) {
      for (const stream of [false, true]) {
        const response = await server.post(path, people[name], { ...body, stream });
        await textWithout(response, belonging);
        await expectError(response, { status: 400, code, param });
      }
    }
    for (const name of ["owner", "ownerReader"] as const) {
      expect((await server.post(path, people[name], body)).status).toBe(200);
    }
  }
}

/** What an outsider asks costs the owner nothing, and knows nothing of the owner. */
async function expectOwnConversation(path: string, body: JsonObject): Promise<void> {
  const belonging = await newBelonging();
  const before = await keyFacts(server, people.owner);
  for (const name of OUTSIDERS) {
    const response = await server.post(path, people[name], body);
    expect(response.status).toBe(200);
    await textWithout(response, belonging);
  }
  expect(await keyFacts(server, people.owner)).toEqual(before);
}

const QUESTION = "What did I say before?";
const MESSAGES_QUESTION = {
  model: MODEL,
  max_tokens: 100,
  messages: [{ role: "user", content: QUESTION }],
};

const GEMINI_QUESTION = { contents: [{ role: "user", parts: [{ text: QUESTION }] }] };

/** A key of the owner's that may call one model. */
async function narrowKey(): Promise<string> {
  const args = ["--account", ownerAccountId, "--name", "narrow", "--models", MODEL];
  return (await server.command<{ key: string }>("key", "create", ...args)).key;
}

/** The list of one key says nothing about that of another. */
async function expectOwnModels(idsOf: (secret: string) => Promise<string[]>): Promise<void> {
  expect(await idsOf(await narrowKey())).toEqual([MODEL]);
  for (const name of OUTSIDERS) expect((await idsOf(people[name])).length).toBeGreaterThan(1);
}

const CASES: Readonly<Record<string, () => Promise<void>>> = {
  "POST /v1/responses": async () => {
    await expectNoReference("/responses");
    await expectOwnConversation("/responses", RESPONSES.request(QUESTION));
  },
  "POST /v1/chat/completions": () =>
    expectOwnConversation("/chat/completions", CHAT.request(QUESTION)),
  "POST /v1/embeddings": async () => {
    const before = await keyFacts(server, people.owner);
    for (const name of OUTSIDERS) {
      const body = { model: "text-embedding-3-small", input: QUESTION };
      const response = await server.post("/embeddings", people[name], body);
      await expectError(response, { status: 404, code: "model_not_found", param: "model" });
    }
    expect(await keyFacts(server, people.owner)).toEqual(before);
  },
  "POST /v1/messages": () => expectOwnConversation("/messages", MESSAGES_QUESTION),
  "POST /v1/messages/count_tokens": () =>
    expectOwnConversation("/messages/count_tokens", MESSAGES_QUESTION),
  "POST /v1beta/models/:id": () =>
    expectOwnConversation(`/../v1beta/models/${MODEL}:generateContent`, GEMINI_QUESTION),
  "POST /v1/models/:id": () =>
    expectOwnConversation(`/models/${MODEL}:generateContent`, GEMINI_QUESTION),
  "POST /v1/responses/input_tokens": () => expectNoReference("/responses/input_tokens"),
  "POST /v1/responses/compact": () => expectNoReference("/responses/compact"),
  "POST /v1/estimate": async () => {
    await expectNoReference("/estimate");
    await expectOwnConversation("/estimate", CHAT.request(QUESTION));
  },
  "GET /v1/dashboard/billing/subscription": async () => {
    const limitOf = async (name: keyof People) => {
      const response = await server.fetch("/dashboard/billing/subscription", people[name]);
      return ((await response.json()) as { hard_limit_usd: number }).hard_limit_usd;
    };
    await server.command("topup", "--account", ownerAccountId, "0.5");
    // Keys that may not read their account see no more than that nothing limits them.
    for (const name of ["colleague", "stranger"] as const) {
      expect(await limitOf(name)).toBe(100_000_000);
    }
    expect(await limitOf("strangerReader")).toBe(1);
  },
  "GET /v1/dashboard/billing/usage": async () => {
    const usedBy = async (name: keyof People) => {
      const response = await server.fetch("/dashboard/billing/usage", people[name]);
      return ((await response.json()) as { total_usage: number }).total_usage;
    };
    const before = await Promise.all(OUTSIDERS.map(usedBy));
    const own = await usedBy("owner");
    await newBelonging();
    expect(await usedBy("owner")).toBeGreaterThan(own);
    expect(await Promise.all(OUTSIDERS.map(usedBy))).toEqual(before);
  },
  "GET /v1/responses/:id": () =>
    expectHidden(
      "GET",
      (id) => `/responses/${id}`,
      (own) => [own.responseId],
      "response_id",
    ),
  "DELETE /v1/responses/:id": async () => {
    const ids: string[] = [];
    const note = (own: Belonging) => {
      ids.push(own.responseId);
      return [own.responseId];
    };
    await expectHidden("DELETE", (id) => `/responses/${id}`, note, "response_id");
    const path = `/responses/${ids[0]}`;
    expect((await server.fetch(path, people.owner)).status).toBe(200);
    // To read the whole account is not to delete what others have made.
    const reader = await server.fetch(path, people.ownerReader, { method: "DELETE" });
    expect(reader.status).toBe(404);
    expect((await server.fetch(path, people.ownerReader)).status).toBe(200);
    expect((await server.fetch(path, people.owner, { method: "DELETE" })).status).toBe(200);
    expect((await server.fetch(path, people.owner)).status).toBe(404);
  },
  "GET /v1/responses/:id/input_items": () =>
    expectHidden(
      "GET",
      (id) => `/responses/${id}/input_items`,
      (own) => [own.responseId],
      "response_id",
    ),
  "GET /v1/models": async () => {
    await expectOwnModels(async (secret) => {
      const body = (await (await server.fetch("/models", secret)).json()) as {
        data: { id: string }[];
      };
      return body.data.map(({ id }) => id);
    });
  },
  "GET /v1beta/models": async () => {
    await expectOwnModels(async (secret) => {
      const body = (await (await server.fetch("/../v1beta/models", secret)).json()) as {
        models: { baseModelId: string }[];
      };
      return body.models.map(({ baseModelId }) => baseModelId);
    });
  },
  "GET /v1beta/models/:id": async () => {
    const key = await narrowKey();
    const statusOf = async (id: string) =>
      (await server.fetch(`/../v1beta/models/${id}`, key)).status;
    expect([await statusOf(MODEL), await statusOf("sandbox-mini-1.0")]).toEqual([200, 404]);
  },
  "GET /v1/models/:id": async () => {
    for (const name of OUTSIDERS) {
      const response = await server.fetch(`/models/${MODEL}`, people[name]);
      // What is said of a model is the same to everybody.
      const own = await server.fetch(`/models/${MODEL}`, people.owner);
      expect(await response.json()).toEqual(await own.json());
    }
  },
  "GET /v1/key": async () => {
    const own = await keyFacts(server, people.owner);
    for (const name of OUTSIDERS) {
      // Nothing in the request chooses whose facts are shown.
      const response = await server.fetch(`/key?id=${own.id}`, people[name]);
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(text).not.toContain(own.id);
      // Of a key, its last four characters are shown; an id might have the same by chance.
      expect(text).not.toContain(`"${people.owner.slice(-4)}"`);
    }
  },
  "GET /v1/credits": async () => {
    const expected = { status: 403, code: "permission_denied" };
    for (const name of ["colleague", "stranger", "owner"] as const) {
      await expectError(await server.fetch("/credits", people[name]), expected);
    }
    await server.command("topup", "--account", ownerAccountId, "123.25");
    const creditedOf = async (name: keyof People) => {
      const response = await server.fetch(`/credits?account=${ownerAccountId}`, people[name]);
      return ((await response.json()) as { credited: string }).credited;
    };
    expect(await creditedOf("ownerReader")).toBe("124.25");
    expect(await creditedOf("strangerReader")).toBe("1.0");
  },
  "GET /v1/generation": () =>
    expectHidden(
      "GET",
      (id) => `/generation?id=${id}`,
      (own) => [own.requestId, own.responseId],
      "id",
    ),
};

// Only the table is wanted, so nothing stands behind the routes.
const { limits } = readConfig({});
const table = { limits, wires: openWires(limits) } as unknown as Services;
const routes = gatewayRoutes(table).map(({ method, path }) => `${method} ${path}`);

describe("nothing of an account is read by another, nor of a key by another", () => {
  test.each([...routes])("%s", async (route) => {
    const shows = CASES[route];
    if (!shows) throw new Error(`${route} has no case; write one that shows who may not read`);
    await shows();
  });

  test("every case belongs to a route", () => {
    expect(Object.keys(CASES).sort()).toEqual([...new Set(routes)].sort());
  });

  test("a conversation cannot be joined through the answer of somebody else to it", async () => {
    const belonging = await newBelonging();
    const ask = (name: Outsider | "owner", previous: string) =>
      server.post("/responses", people[name], {
        model: MODEL,
        input: "What did I say?",
        previous_response_id: previous,
      });
    const second = (await (await ask("owner", belonging.responseId)).json()) as { id: string };
    for (const name of OUTSIDERS) {
      const response = await ask(name, second.id);
      await textWithout(response, belonging);
      expect(response.status).toBe(400);
    }
  });
});
