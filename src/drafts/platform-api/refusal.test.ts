import { expect, test } from "bun:test";
import { readRefusal, refusalFault, unreached } from "./refusal.ts";

test.each([
  [
    unreached("http://10.0.0.1 is in a private network.", "config"),
    "The platform refused it: http://10.0.0.1 is in a private network. Check the platform's address.",
  ],
  [
    readRefusal(40013, "invalid appid"),
    "The platform refused it: 40013 invalid appid. Check the AppID.",
  ],
])("words that a refusal brings along end once", (refusal, message) => {
  expect(refusalFault(refusal).message).toBe(message);
});
