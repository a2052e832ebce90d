import { describe, expect, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import { overQuota, upstreamUnavailable } from "../../protocols/faults.ts";
import { type RefusalKind, VendorRefusal } from "../refusal.ts";
import { ChannelState } from "./channel-state.ts";
import { plainChannel } from "./channels.ts";
import { VendorKey } from "./credentials.ts";

const { limits } = readConfig({ FAREGATE_CREDENTIAL_COOLDOWN_MS_MAX: "600000" });
const MODEL = "deepseek-chat";

function stateOf(...keys: string[]): ChannelState {
  const send = () => Promise.resolve(new Response());
  const channel = plainChannel({
    ...{ id: "deepseek", vendor: "deepseek", send },
    keys: keys.map((key) => new VendorKey(key)),
  });
  return new ChannelState(channel, limits);
}

function refusal(kind: RefusalKind, status: number, exhausted = false): VendorRefusal {
  const fault = exhausted ? overQuota("") : upstreamUnavailable("The vendor failed.");
  return new VendorRefusal("the vendor's words", { kind, fault, status, exhausted });
}

const NO_QUOTA = refusal("rate", 429, true);

/** A request by the key at this place fails so. */
function fail(state: ChannelState, met: VendorRefusal, nowMs: number, key = 0): void {
  const credential = state.credentials.all[key];
  if (!credential) throw new Error(`no key ${key}`);
  state.failed(met, { credential, upstreamModel: MODEL }, nowMs, false);
}

const shown = (state: ChannelState, nowMs: number) => state.status(nowMs, [MODEL]);

describe("a channel whose keys cannot be used", () => {
  test("is not ok while the only one has no quota, and says since when and until when", () => {
    const state = stateOf("key-a");
    state.answered(0, false);
    expect(shown(state, 1_000)).toMatchObject({ state: "ok", reason: undefined });
    fail(state, NO_QUOTA, 2_000);
    expect(shown(state, 3_000)).toMatchObject({
      ...{ state: "cooled", reason: "quota", cooledUntilMs: 602_000 },
      ...{ answeredAtMs: 0, failedAtMs: 2_000 },
    });
    expect(shown(state, 602_000)).toMatchObject({ state: "ok", reason: undefined });
  });

  test("is ok while one of several can be used", () => {
    const state = stateOf("key-a", "key-b");
    state.answered(0, false);
    fail(state, NO_QUOTA, 1_000, 0);
    expect(shown(state, 2_000).state).toBe("ok");
    fail(state, refusal("credential", 401), 3_000, 1);
    expect(shown(state, 4_000)).toMatchObject({ state: "cooled", reason: "quota" });
  });

  test("is limited where the rate of each is, for the models that it serves", () => {
    const state = stateOf("key-a");
    state.answered(0, false);
    fail(state, refusal("rate", 429), 1_000);
    expect(shown(state, 2_000)).toMatchObject({ state: "cooled", reason: "rate" });
    expect(state.status(2_000, [MODEL, "another"]).state).toBe("ok");
  });
});

describe("attempts and failures", () => {
  test("count refused keys and used up quota as failures", () => {
    const state = stateOf("key-a", "key-b");
    state.answered(0, false);
    fail(state, NO_QUOTA, 1_000, 0);
    fail(state, refusal("credential", 401), 2_000, 1);
    fail(state, refusal("client", 400), 3_000, 1);
    expect(shown(state, 4_000)).toMatchObject({
      recent: { attempts: 4, failures: 2 },
      totals: { attempts: 4, failures: 2 },
      faults: 0,
    });
  });

  test("since the start only rise, while those of the last minutes are forgotten", () => {
    const state = stateOf("key-a");
    fail(state, refusal("vendor", 500), 0);
    expect(shown(state, 3_600_000)).toMatchObject({
      recent: { attempts: 0, failures: 0 },
      totals: { attempts: 1, failures: 1 },
    });
  });
});

describe("what a channel has gone through", () => {
  test("is known to the next process", () => {
    const before = stateOf("key-a", "key-b");
    before.answered(500, false);
    fail(before, refusal("credential", 401), 1_000, 0);
    fail(before, NO_QUOTA, 2_000, 1);
    const after = stateOf("key-b", "key-a");
    after.recall(before.kept());
    const { state, reason, answeredAtMs, failedAtMs, lastError, credentials } = shown(after, 3_000);
    expect({ state, reason, answeredAtMs, failedAtMs }).toEqual({
      ...{ state: "cooled", reason: "quota", answeredAtMs: 500, failedAtMs: 2_000 },
    });
    expect(lastError?.message).toBe("the vendor's words");
    expect(credentials.map((each) => each.state)).toEqual(["cooled", "refused"]);
  });

  test("holds no key", () => {
    const state = stateOf("sk-very-secret-key-1234");
    expect(JSON.stringify(state.kept())).not.toContain("very-secret");
  });

  test("is nothing to a channel elsewhere, or with other keys alone, or that has been asked already", () => {
    const before = stateOf("key-a");
    before.answered(0, false);
    const moved = stateOf("key-a");
    moved.recall({ ...before.kept(), place: "elsewhere" });
    const changed = stateOf("key-b");
    changed.recall(before.kept());
    expect([moved, changed].map((state) => shown(state, 1_000).state)).toEqual([
      "untried",
      "untried",
    ]);
    const asked = stateOf("key-a");
    fail(asked, refusal("vendor", 500), 2_000);
    asked.recall(before.kept());
    expect(shown(asked, 3_000)).toMatchObject({ state: "failing", answeredAtMs: undefined });
  });
});
