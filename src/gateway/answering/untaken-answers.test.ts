// Large answers that their clients do not take, and what others may still have beside them.
import { expect, test } from "bun:test";
import { CHAT, gateway, RESPONSES, thrownBy } from "../../../test/support/houses/pipeline.ts";
import { eventually } from "../../../test/support/waiting.ts";

const MIB = 1024 * 1024;

function chatAnswer(own: string): string {
  return (
    `{"id":"c1","object":"chat.completion","created":1794800000,"model":"v","own":"${own}","choices":[{"index":0,` +
    '"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}],' +
    '"usage":{"prompt_tokens":10,"completion_tokens":2}}'
  );
}

const LARGE = chatAnswer("x".repeat(MIB));
const SMALL = chatAnswer("x");

/** How much room there is, and how much of it one account may have. */
interface Size {
  readonly mib: number;
  readonly percent: number;
}

/** For two large answers that are not taken, or for one that is being read. */
const FOR_TWO: Size = { mib: 2.5, percent: 100 };

function house(answers: readonly string[], { mib, percent } = FOR_TWO) {
  const left = [...answers];
  const client = { isTaking: false };
  /** Who asks. */
  const key = { accountId: "acct_1" };
  const it = gateway({
    endpoints: ["chat"],
    key,
    env: {
      FAREGATE_ANSWER_BYTES_IN_FLIGHT_MAX: String(mib * MIB),
      FAREGATE_ANSWER_BYTES_ACCOUNT_PERCENT: String(percent),
    },
    isBeingAnswered: () => !client.isTaking,
    send: async () => new Response(left.shift()),
  });
  const { services, goTo } = it;
  const inFlight = () => services.answers.bytesInFlight / MIB;
  /** All clients take what there is for them, which is seen at the next look. */
  const takeAll = () => {
    client.isTaking = true;
    goTo(1_000);
  };
  return { ...it, key, inFlight, takeAll };
}

/** Asks, and says what has become of it. */
function asking(it: ReturnType<typeof house>, body: object = CHAT) {
  const asked = { text: "", fault: "" };
  const path = "input" in body ? "responses" : "chat";
  const answered = it.post(path, body).then(
    async (response) => {
      asked.text = await response.text();
    },
    (thrown) => {
      asked.fault = String(thrown.fault);
    },
  );
  return { asked, answered };
}

const isFull = (it: ReturnType<typeof house>) => it.inFlight() > 2.5;

test("a large answer counts until its client has taken it", async () => {
  const it = house([LARGE]);
  await (await it.post("chat", CHAT)).text();
  expect(it.inFlight()).toBeCloseTo(1, 1);
  it.goTo(1_000);
  expect(it.inFlight()).toBeCloseTo(1, 1);
  it.takeAll();
  expect([it.inFlight(), it.services.watchdog.size]).toEqual([0, 0]);
});

test("another waits for room, and is not charged before there is any; a small one does not wait", async () => {
  const it = house([LARGE, LARGE, SMALL]);
  await (await it.post("chat", CHAT)).text();
  const { asked, answered } = asking(it);
  await eventually("the second one is read", () => isFull(it));
  expect(await (await it.post("chat", CHAT)).json()).toMatchObject({ own: "x" });
  expect([asked, it.settled.length]).toEqual([{ text: "", fault: "" }, 2]);
  it.takeAll();
  await answered;
  expect(asked.text).toContain("x".repeat(MIB));
  expect(it.settled.map(({ kind }) => kind)).toEqual(["post", "post", "post"]);
  expect(it.inFlight()).toBe(0);
});

test("another account does not wait for room that clients of one take", async () => {
  const it = house([LARGE, LARGE, LARGE], { mib: 5, percent: 50 });
  await (await it.post("chat", CHAT)).text();
  const { asked, answered } = asking(it);
  await eventually("the second one is read", () => isFull(it));
  it.key.accountId = "acct_2";
  const response = await it.post("chat", CHAT);
  expect(await response.json()).toMatchObject({ own: "x".repeat(MIB) });
  expect([asked, it.settled.length]).toEqual([{ text: "", fault: "" }, 2]);
  it.takeAll();
  await answered;
  expect(it.settled.map(({ kind }) => kind)).toEqual(["post", "post", "post"]);
  expect(it.inFlight()).toBe(0);
});

test("one that finds no room in its time is none, costs nothing and is not its vendor's fault", async () => {
  const it = house([LARGE, LARGE, SMALL]);
  await (await it.post("chat", CHAT)).text();
  const { asked, answered } = asking(it);
  await eventually("the second one is read", () => isFull(it));
  it.goTo(it.services.limits.upstream_total_ms);
  await answered;
  expect(asked.fault).toBe("overloaded");
  expect([it.settled[1]?.kind, it.settled[1]?.receipt.billingReason]).toEqual([
    "void",
    "gateway_failed",
  ]);
  expect(it.inFlight()).toBeCloseTo(1, 1);
  // The next one is asked of the same vendor.
  await (await it.post("chat", CHAT)).text();
});

test("a short answer that repeats a large request counts by what is sent", async () => {
  const it = house([LARGE, SMALL]);
  await (await it.post("chat", CHAT)).text();
  const instructions = "be kind ".repeat((2 * MIB) / 8);
  const { asked, answered } = asking(it, { ...RESPONSES, instructions });
  await eventually("it is written", () => isFull(it));
  expect([asked.text, it.settled.length]).toEqual(["", 1]);
  it.takeAll();
  await answered;
  expect(JSON.parse(asked.text)).toMatchObject({ instructions });
  expect(it.inFlight()).toBe(0);
});

test("a short answer to a large request waits for nobody, in whichever words it is written", async () => {
  const it = house([LARGE, LARGE, SMALL]);
  await (await it.post("chat", CHAT)).text();
  const { answered } = asking(it);
  await eventually("the second one is read", () => isFull(it));
  const before = it.inFlight();
  const input = "be kind ".repeat(MIB / 8);
  const response = await it.post("responses", { ...RESPONSES, input });
  expect(await response.json()).toMatchObject({ output_text: "hello" });
  expect(it.inFlight()).toBe(before);
  it.takeAll();
  await answered;
});

test.each(["not JSON", "cut short"])("one that is %s does not count any more", async (how) => {
  const it = house([how === "cut short" ? LARGE.slice(0, -1) : `${LARGE}x`]);
  expect((await thrownBy(it.post("chat", CHAT))).fault).toBe("upstream_unavailable");
  expect(it.inFlight()).toBe(0);
});

test("one that cannot be recorded does not count any more", async () => {
  const it = house([LARGE]);
  it.services.ledger.settle = () => Promise.reject(new Error("disk full"));
  await expect(it.post("chat", CHAT)).rejects.toThrow();
  expect(it.inFlight()).toBe(0);
});
