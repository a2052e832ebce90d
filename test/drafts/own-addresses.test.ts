// What somebody writes for a platform, a source of tokens or a picture does not lead to the gateway itself.
import { expect, test } from "bun:test";
import { expectError } from "../support/errors.ts";
import { draftsServer } from "../support/houses/drafts-server.ts";
import { perFile } from "../support/houses/house.ts";
import { picture } from "../support/samples/pictures.ts";
import type { JsonObject } from "../support/samples/wires.ts";

const house = await perFile((parts) => draftsServer(parts));
const ACCOUNTS = "/wechat/accounts";
const { port } = new URL(house.origin);
const sandbox = await house.read<{ data: JsonObject[] }>(ACCOUNTS);

/** Of all pictures it is the cover that is always fetched. */
async function pushed(cover: string): Promise<JsonObject> {
  const draft = { title: "Cranes", markdown: "Cranes.", cover: { url: cover }, account: "sandbox" };
  return (await (await house.post("/drafts", draft)).json()) as JsonObject;
}

test("a platform at the gateway's own address is refused, but for the built-in one", async () => {
  for (const [name, path, refused] of [
    ["a path of models", "/v1/models", true],
    ["around the platform", "/platform/../v1/models", true],
    ["the platform by its address", "/platform", false],
  ] as const) {
    const form = { ...{ name, appid: "wx1", secret: "s3cret" }, is_default: false };
    await house.made(ACCOUNTS, { ...form, platform_url: house.origin + path });
    const doctor = await house.made<JsonObject>(
      `${ACCOUNTS}/${encodeURIComponent(name)}:doctor`,
      {},
    );
    expect(doctor.healthy).toBe(false);
    expect(JSON.stringify(doctor).includes("private network")).toBe(refused);
  }
  expect(sandbox.data).toMatchObject([{ name: "sandbox", kind: "built-in" }]);
  const doctor = await house.made<JsonObject>(`${ACCOUNTS}/sandbox:doctor`, {});
  expect(doctor.healthy).toBe(true);
});

test.each(["#", "?", "/v1/models#", "/v1/models?", "/v1 models", "/v1\\models"])(
  "a platform's address with %j behind its host is refused when it is written",
  async (end) => {
    const form = { name: "odd", appid: "wx1", secret: "s3cret" };
    for (const platform_url of [`http://127.0.0.1:${port}${end}`, `https://p.test${end}`]) {
      const refused = await house.post(ACCOUNTS, { ...form, platform_url });
      await expectError(refused, { status: 400, code: "invalid_value", param: "platform_url" });
    }
  },
);

test("a source of tokens at the gateway's own address gets no bearer, also for the built-in platform", async () => {
  for (const [name, platform_url] of [
    ["far", "https://p.test"],
    ["near", "built-in"],
  ] as const) {
    const source = { token_url: `${house.origin}/v1/models`, token_bearer: house.server.firstKey };
    await house.made(ACCOUNTS, { name, appid: "wx1", platform_url, is_default: false, ...source });
    const draft = { title: "Cranes", markdown: "Cranes.", account: name };
    const answer = (await (await house.post("/drafts", draft)).json()) as JsonObject;
    expect(answer).toMatchObject({ error: { code: "token_unavailable" } });
    expect(JSON.stringify(answer)).toContain("private network");
  }
});

test("a picture is fetched from where the built-in platform shows them, and nowhere else of the gateway", async () => {
  const account = await house.server.command<JsonObject>("platform", "account");
  const call = async (path: string, body: string | FormData) =>
    (await (
      await fetch(`${house.origin}/platform/cgi-bin/${path}`, { method: "POST", body })
    ).json()) as JsonObject;
  const grant = { grant_type: "client_credential", ...account };
  const { access_token } = await call("stable_token", JSON.stringify(grant));
  const form = new FormData();
  const png = new Uint8Array(await picture("png", 30, 20));
  form.set("media", new File([png], "crane.png", { type: "image/png" }));
  const uploaded = await call(`media/uploadimg?access_token=${access_token}`, form);
  const shown = String(uploaded.url);
  expect(shown).toStartWith(`${house.origin}/platform/mmbiz_png/`);
  expect((await pushed(shown)).status).toBe("in_box");
  for (const path of [
    "/v1/models",
    "/platform/cgi-bin/token",
    "/platform/mmbiz_png",
    "/platform/mmbiz_png/../../v1/models",
    "/v1/platform/mmbiz_png/a/0",
  ]) {
    const refused = await pushed(house.origin + path);
    expect({ path, refused: JSON.stringify(refused) }).toMatchObject({
      refused: expect.stringContaining("image_private_address"),
    });
  }
});
