// Public accounts on the command line, and how their secrets come in.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { perFile } from "../support/houses/house.ts";
import { startServer } from "../support/houses/serving.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { type CommandResult, faregate, typed } from "./commands.ts";

const house = await perFile(async (parts) => {
  const settings = { FAREGATE_DATA: join(parts.folder(), "data") };
  parts.keep(await startServer(settings));
  return { settings };
});

const type = (args: readonly string[], settings: Record<string, string> = {}) =>
  typed(["draft", "account", ...args], { ...house.settings, ...settings });

/** The command with something on its standard input. */
async function piped(input: string, ...args: string[]): Promise<CommandResult> {
  return faregate(["draft", "account", ...args, "--stdin"], house.settings, input);
}

function jsonOf<T = JsonObject>({ code, stdout, stderr }: CommandResult): T {
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as T;
}

test("an account is added by its secret from the environment, and becomes the default", async () => {
  const before = jsonOf<{ data: JsonObject[] }>(await type(["ls", "--json"]));
  expect(before.data).toMatchObject([{ name: "sandbox", is_default: true }]);
  const secret = { FAREGATE_APPSECRET: "s3cret-of-it" };
  const added = await type(["add", "ours", "--appid", "wx1"], secret);
  expect(added.code).toBe(0);
  expect(added.stdout).toContain(
    "Now drafts go to ours (wx1) on the real platform, https://api.weixin.qq.com.",
  );
  const after = await type(["ls"]);
  expect(after.stdout).toMatch(/ours +yes +wx1 +https:\/\/api\.weixin\.qq\.com/);
  expect(added.stdout + after.stdout).not.toContain("s3cret");
  expect(jsonOf(await type(["default", "sandbox", "--json"]))).toMatchObject({ is_default: true });
});

test("secrets come on the standard input, as a line or as an object", async () => {
  const one = await piped("s3cret\n", "add", "line", "--appid", "wx2", "--no-default", "--json");
  expect(jsonOf(one)).toMatchObject({ credential: "secret", is_default: false });
  const secrets = {
    ...{ component_appsecret: "c", authorizer_refresh_token: "r" },
    proxy_url: "http://me:pw@out.example.com:3128",
  };
  const component = ["--component-appid", "wxc", "--no-default", "--json"];
  const input = JSON.stringify(secrets);
  const third = await piped(input, "add", "third", "--appid", "wx3", ...component);
  expect(jsonOf(third)).toMatchObject({
    credential: "component",
    proxy: "http://out.example.com:3128",
  });
  const kept = await type(["add", "kept", "--appid", "wx4", "--supplied", "--json"]);
  expect(jsonOf(kept)).toMatchObject({ credential: "supplied", is_default: true });
});

test.each([
  [["fly"], "", /add, ls, default/],
  [["add"], "", /name the public account/],
  [["add", "x"], "", /--appid is missing/],
  [["add", "x", "--appid", "wx"], "", /AppSecret is missing/],
  [["add", "x", "--appid", "wx", "--secret", "s"], "", /--secret/],
  [["add", "x", "--appid", "wx", "--component-appid", "c"], "", /component_appsecret/],
  [["add", "x", "--appid", "wx"], "{no", /neither an AppSecret nor/],
  [["add", "x", "--appid", "wx"], '{"password": "x"}', /"password" is unknown/],
  [["add", "x", "--appid", "wx"], '{"secret": 1}', /not a text/],
  [["default", "nobody"], "", /no such public account/],
])("%j with %p on its input ends with 2", async (args, input, words) => {
  const result = await (input === "" ? type(args) : piped(input, ...args));
  expect({ code: result.code, stderr: result.stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(words),
  });
});
