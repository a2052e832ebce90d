import { afterEach, expect, test } from "bun:test";
import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { createQueryClient } from "./queries.ts";

afterEach(() => onlineManager.setOnline(true));

test("what is pressed without a network fails at once, and is not done when there is one again", async () => {
  const client = createQueryClient();
  onlineManager.setOnline(false);
  let calls = 0;
  const pressed = new MutationObserver(client, {
    async mutationFn() {
      calls++;
      throw new Error("there is no network");
    },
  });
  const failed = pressed.mutate().catch((thrown: Error) => thrown.message);
  expect(pressed.getCurrentResult().isPaused).toBe(false);
  expect(await failed).toBe("there is no network");
  onlineManager.setOnline(true);
  await client.resumePausedMutations();
  expect(calls).toBe(1);
});
