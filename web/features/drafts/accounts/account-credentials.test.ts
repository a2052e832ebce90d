import { expect, test } from "bun:test";
import { bodyOf, EMPTY_ACCOUNT, missingFields } from "./account-credentials.tsx";

const NAMED = { ...EMPTY_ACCOUNT, name: "ours", appid: "wx1" };

test("each way to a token needs its own fields", () => {
  expect(missingFields(EMPTY_ACCOUNT)).toEqual(["name", "appid", "secret"]);
  expect(missingFields({ ...NAMED, credential: "supplied" })).toEqual([]);
  expect(missingFields({ ...NAMED, credential: "component" })).toEqual([
    ...(["component_appid", "component_appsecret", "authorizer_refresh_token"] as const),
  ]);
});

test("what was typed for another way, or left empty, is not sent", () => {
  const typed = { ...NAMED, secret: "s", token_url: "https://t.test", is_default: false };
  const sent = { name: "ours", appid: "wx1", publish_allowed: false, is_default: false };
  expect(bodyOf(typed)).toEqual({ ...sent, credential: "secret", secret: "s" });
  expect(bodyOf({ ...typed, credential: "supplied" })).toEqual({
    ...sent,
    credential: "supplied",
    token_url: "https://t.test",
  });
});
