// What the description of the API says of the platform's calls, held against what they really answer: each is made
// with the example that a reader finds there, the names in it replaced by those of things that exist.
import { describe, expect, test } from "bun:test";
import { operationsOf } from "../../src/http/openapi/describe-api.ts";
import { isFile, type Operation } from "../../src/lib/contract.ts";
import { perFile } from "../support/houses/house.ts";
import { servedPlatform } from "../support/houses/served-platform.ts";
import { picture } from "../support/samples/pictures.ts";
import { eventually } from "../support/waiting.ts";

const CLOSED = ["/add_news", "/update_news", "/uploadnews"];

const served = await perFile(servedPlatform);
const mine = await served.account({ verified: true, product: "ok" });
const calls = operationsOf(served.routes).filter(({ path }) =>
  /^\/platform\/(?:cgi-bin|channels)\//.test(path),
);

async function idIn(answer: Promise<{ readonly body: Record<string, unknown> }>, name: string) {
  return String((await answer).body[name]);
}

const newPicture = async (path: string) =>
  idIn(served.upload(path, mine.token, "p.jpg", await picture("jpeg")), "media_id");

function newDraft(): Promise<string> {
  const article = { title: "t", content: "c", thumb_media_id: mine.thumb };
  const body = JSON.stringify({ articles: [article] });
  return idIn(served.post("/cgi-bin/draft/add", body, mine), "media_id");
}

/** What stands for a media id: a draft, or a file, of its own for each call. */
function mediaFor(path: string): Promise<string> {
  if (path.endsWith("/media/get")) return newPicture("/cgi-bin/media/upload?type=image");
  if (path.includes("/material/")) return newPicture("/cgi-bin/material/add_material?type=image");
  return newDraft();
}

async function publish() {
  await served.controlled("POST", "publishing", { delay_ms: 0 });
  const body = JSON.stringify({ media_id: await newDraft() });
  const publishId = await idIn(
    served.post("/cgi-bin/freepublish/submit", body, mine),
    "publish_id",
  );
  const articleId = await eventually("it is published", async () => {
    const asked = JSON.stringify({ publish_id: publishId });
    const { body: told } = await served.post("/cgi-bin/freepublish/get", asked, mine);
    return typeof told.article_id === "string" ? told.article_id : undefined;
  });
  return { publishId, articleId };
}

/** The things of an example, by the names that they have there. */
async function namesFor(path: string): Promise<Record<string, string>> {
  const names: Record<string, string> = {
    wx0123456789abcdef: mine.appid,
    "0123456789abcdef0123456789abcdef": mine.secret,
    cVr7Kx2Lm: mine.thumb,
    mFq3x0Zc8: await mediaFor(path),
  };
  if (path.includes("/freepublish/")) {
    const { publishId, articleId } = await publish();
    Object.assign(names, { a1B2c3D4: articleId, "2247483647": publishId });
  }
  if (path.endsWith("/rid/get")) {
    const { data } = (await served.controlled("GET", `requests?limit=1&appid=${mine.appid}`)) as {
      data: { rid: string }[];
    };
    names["6919a3c0-1a2b3c4d-5e6f7a8b"] = data[0]?.rid ?? "";
  }
  if (path.endsWith("/api_authorizer_token")) {
    const asked = { appid: mine.appid, kind: "third-party", sets: [11] };
    const given = await served.controlled("POST", "tokens", asked);
    names["refreshtoken@@@abcdefghijkl"] = String(given.refresh_token);
  }
  return names;
}

/** The parameters that the platform needs, of those that the description names. */
function queryFor({ query }: Operation, names: Record<string, string>): URLSearchParams {
  const values: Record<string, string> = {
    type: "image",
    media_id: names.mFq3x0Zc8 ?? "",
    grant_type: "client_credential",
    appid: mine.appid,
    secret: mine.secret,
    component_access_token: "86_component",
  };
  const wanted = Object.keys(query?.shape ?? {});
  return new URLSearchParams(wanted.map((name): [string, string] => [name, values[name] ?? ""]));
}

async function call(operation: Operation): Promise<Response> {
  const { method, path, example, bodyType, credentials } = operation;
  const names = await namesFor(path);
  const query = queryFor(operation, names);
  if (!credentials) query.set("access_token", mine.token);
  const address = `${served.url}${path.slice("/platform".length)}?${query}`;
  if (bodyType) {
    const form = new FormData();
    form.set("media", new File([await picture("jpeg")], "p.jpg"));
    return fetch(address, { method, body: form });
  }
  let body = JSON.stringify(example);
  // The longer name has the shorter one in it.
  const longestFirst = Object.entries(names).sort(([a], [b]) => b.length - a.length);
  for (const [name, real] of longestFirst) body = body?.replaceAll(name, real);
  return fetch(address, { method, ...(method === "POST" && { body }) });
}

describe("the platform's calls", () => {
  test.each(calls.map((each) => [`${each.method} ${each.path}`, each] as const))(
    "%s",
    async (_, operation) => {
      const response = await call(operation);
      expect(response.status).toBe(200);
      if (isFile(operation.answer)) {
        expect(response.headers.get("content-type")).toBe("image/jpeg");
        return;
      }
      const answer = (await response.json()) as { errcode?: number };
      const isClosed = CLOSED.some((name) => operation.path.endsWith(name));
      expect(answer).toMatchObject(isClosed ? { errcode: 45106 } : {});
      expect({ answer, isRefused: (answer.errcode ?? 0) !== 0 }).toMatchObject({
        isRefused: isClosed,
      });
      expect(operation.answer.safeParse(answer).error?.issues).toBeUndefined();
    },
  );

  test("say what is wrong as they are described to", async () => {
    for (const { method, path, answer } of calls) {
      if (isFile(answer)) continue;
      const response = await fetch(served.url + path.slice("/platform".length), { method });
      const refused = (await response.json()) as { errcode?: number };
      expect({ path, isRefused: (refused.errcode ?? 0) !== 0 }).toEqual({ path, isRefused: true });
      expect(answer.safeParse(refused).error?.issues).toBeUndefined();
    }
  });
});
