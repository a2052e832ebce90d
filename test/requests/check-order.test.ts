import { beforeAll, describe, expect, test } from "bun:test";
import { readError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { CHAT, type JsonObject, RESPONSES, type TestWire } from "../support/samples/wires.ts";

/** A request in the making; each fault changes a part of it. */
interface Draft {
  path: string;
  method: string;
  keyKind: KeyKind | "unknown";
  contentType: string;
  body: Record<string, unknown>;
  /** Cuts the last character off the text, whatever it says. */
  cut: boolean;
}

/** What is wrong with a key, apart from being unknown. */
interface KeyKind {
  listed: boolean;
  rated: boolean;
  spent: boolean;
}

interface Check {
  readonly name: string;
  readonly code: string;
  readonly status: number;
  /** Parts of the message, where another check has the same code. */
  readonly message?: RegExp;
  spoil(draft: Draft, wire: TestWire): void;
}

/** A model that each endpoint does not serve. */
const OTHER_ENDPOINT = { "/responses": "lantern-2.1", "/chat/completions": "gpt-5.3-codex" };
/** The only model on the list of a restricted key. */
const LISTED_MODEL = "sandbox-mini-1.0";

const keyOf = (draft: Draft): KeyKind => {
  if (draft.keyKind === "unknown") return { listed: false, rated: false, spent: false };
  return draft.keyKind;
};

const setKey = (draft: Draft, change: Partial<KeyKind>) => {
  if (draft.keyKind !== "unknown") draft.keyKind = { ...keyOf(draft), ...change };
};

/** In the order in which they are made. */
const CHECKS: readonly Check[] = [
  {
    name: "route",
    code: "unknown_url",
    status: 404,
    spoil: (draft) => {
      draft.path = `/nowhere${draft.path}`;
    },
  },
  {
    name: "method",
    code: "method_not_allowed",
    status: 405,
    spoil: (draft) => {
      draft.method = "PUT";
    },
  },
  {
    name: "key",
    code: "invalid_api_key",
    status: 401,
    spoil: (draft) => {
      draft.keyKind = "unknown";
    },
  },
  {
    name: "rate",
    code: "rate_limit_exceeded",
    status: 429,
    spoil: (draft) => setKey(draft, { rated: true }),
  },
  {
    name: "content type",
    code: "invalid_content_type",
    status: 400,
    spoil: (draft) => {
      draft.contentType = "text/plain";
    },
  },
  {
    name: "JSON",
    code: "invalid_json",
    status: 400,
    spoil: (draft) => {
      draft.cut = true;
    },
  },
  {
    name: "fields",
    code: "decimal_above_max_value",
    status: 400,
    spoil: (draft) => {
      draft.body.temperature = 9;
    },
  },
  {
    name: "model",
    code: "model_not_found",
    status: 404,
    message: /`no-such-model-1\.0`/,
    spoil: (draft) => {
      draft.body.model = "no-such-model-1.0";
    },
  },
  {
    name: "the key's models",
    code: "model_not_found",
    status: 404,
    message: /`(?:sandbox-1\.0|lantern-2\.1|gpt-5\.3-codex)`/,
    spoil: (draft) => setKey(draft, { listed: true }),
  },
  {
    name: "endpoint",
    code: "unsupported_endpoint",
    status: 400,
    spoil: (draft, wire) => {
      // One field cannot name two models: an unknown one stays unknown.
      if (draft.body.model !== "no-such-model-1.0") draft.body.model = OTHER_ENDPOINT[wire.path];
    },
  },
  {
    name: "money",
    code: "400",
    status: 400,
    spoil: (draft) => setKey(draft, { spent: true }),
  },
];

const { server } = await perFile((parts) => {
  const settings = {
    FAREGATE_SANDBOX: "on",
    // A vendor that is listed and never called: it has a model that only /responses serves.
    OPENAI_API_KEY: "sk-never-sent",
    OPENAI_BASE_URL: "http://127.0.0.1:9",
  };
  return serve(parts, { settings });
});
const keys = new Map<string, string>();

const nameOf = ({ listed, rated, spent }: KeyKind) =>
  `${listed ? "listed " : ""}${rated ? "rated " : ""}${spent ? "spent" : ""}`;

/** A key with these faults; one request uses up its minute, its budget or both. */
async function makeKey(kind: KeyKind): Promise<void> {
  const { key } = await server.account(
    "1",
    ...(kind.listed ? ["--models", LISTED_MODEL] : []),
    ...(kind.rated ? ["--rpm", "1"] : []),
    ...(kind.spent ? ["--budget", "0.000000001"] : []),
  );
  const body = { ...RESPONSES.request("Say one"), model: LISTED_MODEL };
  if (kind.rated || kind.spent)
    expect((await server.post("/responses", key, body)).status).toBe(200);
  keys.set(nameOf(kind), key);
}

beforeAll(async () => {
  const kinds = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
    listed: (bits & 1) > 0,
    rated: (bits & 2) > 0,
    spent: (bits & 4) > 0,
  }));
  await Promise.all(kinds.map(makeKey));
});

async function sendWith(
  faults: readonly Check[],
  wire: TestWire,
  stream: boolean,
): Promise<Response> {
  const draft: Draft = {
    path: wire.path,
    method: "POST",
    keyKind: { listed: false, rated: false, spent: false },
    contentType: "application/json",
    body: { ...wire.request("Say one", { stream }) } satisfies JsonObject,
    cut: false,
  };
  for (const fault of faults) fault.spoil(draft, wire);
  const key =
    draft.keyKind === "unknown" ? "sk-unknown" : (keys.get(nameOf(draft.keyKind)) ?? "missing");
  const text = JSON.stringify(draft.body);
  return server.fetch(draft.path, key, {
    method: draft.method,
    headers: { "content-type": draft.contentType },
    body: draft.cut ? text.slice(0, -1) : text,
  });
}

const endpoints = [RESPONSES, CHAT].flatMap((wire) => [
  { wire, stream: false },
  { wire, stream: true },
]);

describe.each(endpoints)("POST $wire.path, stream $stream", ({ wire, stream }) => {
  test("without a fault is answered", async () => {
    const response = await sendWith([], wire, stream);
    expect(response.status).toBe(200);
    const type = stream ? "text/event-stream; charset=utf-8" : "application/json";
    expect(response.headers.get("content-type")).toBe(type);
    await response.text();
  });

  test.each(CHECKS.map((check) => [check.name, check] as const))(
    "with a fault of the %s is told of it, whatever comes later is wrong too",
    async (_name, check) => {
      const later = CHECKS.slice(CHECKS.indexOf(check) + 1);
      const combinations = [[check], ...later.map((other) => [check, other]), [check, ...later]];
      for (const faults of combinations) {
        const names = faults.map(({ name }) => name).join(" + ");
        const response = await sendWith(faults, wire, stream);
        const error = await readError(response);
        expect({ names, status: response.status, code: error.code }).toEqual({
          names,
          status: check.status,
          code: check.code,
        });
        if (check.message) expect(error.message).toMatch(check.message);
      }
    },
  );
});
