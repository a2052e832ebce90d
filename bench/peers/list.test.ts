import { expect, test } from "bun:test";
import { chosenPeers, PEERS } from "./list.ts";
import { Missing } from "./peer.ts";
import { plainReason, programOf, runTool } from "./tools.ts";

test("every peer has an id of its own that can name a folder, and says what it writes down", () => {
  const ids = PEERS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const peer of PEERS) {
    expect(peer.id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(peer.books.length).toBeGreaterThan(3);
    // The names have to fit beside the panels of the chart.
    expect(peer.books.length).toBeLessThanOrEqual(36);
  }
  const rows = PEERS.map(({ title, variant }) => `${title}, ${variant}`);
  expect(new Set(rows).size).toBe(rows.length);
});

test("peers are chosen by id, in the order of the list, and an unknown id is named", () => {
  expect(chosenPeers(undefined)).toEqual([...PEERS]);
  expect(chosenPeers("portkey, nginx").map(({ id }) => id)).toEqual(["nginx", "portkey"]);
  expect(() => chosenPeers("nginx,ngnix")).toThrow('--only names "ngnix"; there are nginx, relay');
});

test("a missing program and a failed installer say what is wrong", async () => {
  expect(() => programOf("no-such-program")).toThrow(Missing);
  expect(() => programOf("no-such-program")).toThrow("no-such-program is not on the PATH");
  expect(await runTool(["sh", "-c", "echo $GIVEN"], "/", { GIVEN: "it" })).toBe("it");
  const failing = runTool(["sh", "-c", "echo noise; echo first >&2; echo cause >&2; exit 3"], "/");
  const fault = await failing.catch((reason: unknown) => reason);
  expect(fault).toBeInstanceOf(Missing);
  expect(String(fault)).toContain("sh -c ended with 3: cause");
});

test("a reason can be published: one line without addresses and folders", () => {
  const told = new Error(
    "pip at /tmp/run-1/peer/bin/pip\n failed: GET https://host.example/x?y 404",
  );
  expect(plainReason(told)).toBe("pip at pip failed: GET (an address) 404");
  expect(plainReason("status 1/2")).toBe("status 1/2");
  const long = plainReason(`who ${"x".repeat(500)} why`);
  expect(long.length).toBeLessThan(210);
  expect(long).toStartWith("who ");
  expect(long).toEndWith(" why");
});
