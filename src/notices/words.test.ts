import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { exactUsd, shownUsd } from "./amounts.ts";
import { languageOf } from "./letter.ts";
import type { Occurrence } from "./occurrence.ts";
import { eventFor, wordsFor } from "./words.ts";

const URL = "https://gate.example.com/console";
const USD = 1_000_000_000n;
const BUDGET = {
  id: "bud_1",
  keyId: "key_1",
  keyName: "</p><script>alert('x')</script>\r\nBcc: eve@example.com",
  period: "month",
  max: 10n * USD,
  used: 8n * USD,
  resetsAtMs: Date.UTC(2026, 11, 1),
} as const;
const CHANNEL = {
  id: "ch_1",
  name: "Main",
  vendor: "openai",
  enabled: true,
  state: "refused",
  message: "billing <hard> limit",
} as const;

const LOSS = { id: "x_1", name: "<Main>", day: "2026-11-19", amount: 3n * USD } as const;

const OCCURRENCES: readonly Occurrence[] = [
  { kind: "low_balance", balance: 3n * USD, threshold: 20n * USD },
  { kind: "low_balance", balance: -1n, threshold: 20n * USD },
  { kind: "budget", percent: 80, budget: BUDGET },
  { kind: "budget", percent: 100, budget: { ...BUDGET, period: "total", resetsAtMs: null } },
  { kind: "spend_spike", spent: 12n * USD, usual: 2n * USD },
  { kind: "model_deprecation", end: { model: "old-1", on: "2026-12-31", replacement: "new-2" } },
  { kind: "model_deprecation", end: { model: "old-1", on: "2026-12-31", replacement: undefined } },
  { kind: "vendor_down", channel: CHANNEL },
  { kind: "vendor_down", channel: { ...CHANNEL, state: "cooled", message: undefined } },
  { kind: "input_loss", loss: { ...LOSS, of: "channel" } },
  { kind: "input_loss", loss: { ...LOSS, of: "account" } },
  { kind: "auto_topup_failed", amount: 20n * USD, reason: "declined <now>", off: false },
  { kind: "auto_topup_failed", amount: 20n * USD, reason: "declined", off: true },
  { kind: "payment_disputed", amount: 10n * USD, taken: 0n },
  { kind: "webhook_disabled", url: "a.example", error: "answered 500", mailed: true },
  { kind: "webhook_disabled", url: "a.example", error: "answered 500", mailed: false },
  { kind: "test" },
];

describe.each(OCCURRENCES)("words for $kind", (occurrence) => {
  test("are there in both languages, in text and HTML, with one link and nothing to load", () => {
    for (const language of ["en", "zh"] as const) {
      const { subject, text, html, link } = wordsFor(occurrence, language, URL);
      expect(/\p{Script=Han}/u.test(subject) && /\p{Script=Han}/u.test(text)).toBe(
        language === "zh",
      );
      expect(subject).not.toMatch(/[\r\n]/);
      expect(`${subject}${text}`).not.toContain("undefined");
      expect(link).toStartWith(`${URL}/`);
      expect(text).toContain(link);
      expect(html.match(/href="/g)).toHaveLength(1);
      expect(html).toContain(`href="${link}"`);
      expect(html).not.toMatch(/<(?:img|script|link|iframe|style)\b|src=|url\(/i);
      expect(html).toContain(language === "zh" ? 'lang="zh-CN"' : 'lang="en"');
    }
  });

  test("are JSON for programs, without losing a digit", () => {
    const event = { id: "ntc_1", accountId: "acct_1", createdAtMs: Date.UTC(2026, 10, 15) };
    const body = JSON.parse(eventFor(occurrence, event, URL));
    expect(body).toMatchObject({
      id: "ntc_1",
      object: "event",
      type: `alert.${occurrence.kind}`,
      created_at: "2026-11-15T00:00:00.000Z",
      account_id: "acct_1",
    });
    if (occurrence.kind === "low_balance") {
      expect(body.data).toEqual({ balance: exactUsd(occurrence.balance), threshold: "20.0" });
    }
  });
});

test("a balance below zero says by how much, and what it takes", () => {
  const low = { kind: "low_balance", balance: -3_201_946_000n, threshold: 20n * USD } as const;
  for (const language of ["en", "zh"] as const) {
    const { text } = wordsFor(low, language, URL);
    expect(text).toContain("-$3.21");
  }
});

describe("amounts", () => {
  test.each([
    [0n, "0.0", "$0.00"],
    [12n * USD + USD / 2n, "12.5", "$12.50"],
    [-1_999_999_999n, "-1.999999999", "-$2.00"],
    [-1_990_000_000n, "-1.99", "-$1.99"],
    [4_997_946_000n, "4.997946", "$4.99"],
    [400_000n, "0.0004", "$0.0004"],
    [10_000_000n, "0.01", "$0.01"],
  ])("%p are written as %s and %s", (nano, exact, shown) => {
    expect([exactUsd(nano), shownUsd(nano)]).toEqual([exact, shown]);
  });

  test("can be read back whole", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (nano) => {
        const [whole = "", fraction = ""] = exactUsd(nano).replace("-", "").split(".");
        const size = BigInt(whole) * USD + BigInt(fraction.padEnd(9, "0"));
        expect(nano < 0n ? -size : size).toBe(nano);
      }),
    );
  });
});

test("times are in the reader's zone, with its name, and in UTC without one", () => {
  const budget: Occurrence = { kind: "budget", percent: 80, budget: BUDGET };
  const text = (timeZone?: string | null) => wordsFor(budget, "en", URL, timeZone).text;
  expect(text()).toContain("resets at 2026-12-01 00:00 UTC.");
  expect(text(null)).toContain("resets at 2026-12-01 00:00 UTC.");
  expect(text("Asia/Shanghai")).toContain("2026-12-01 08:00 Asia/Shanghai (GMT+8).");
  expect(text("America/New_York")).toContain("2026-11-30 19:00 America/New_York (GMT-5).");
  expect(text("Asia/Kathmandu")).toContain("2026-12-01 05:45 Asia/Kathmandu (GMT+5:45).");
  expect(text("Nowhere/Land")).toContain("2026-12-01 00:00 UTC.");
  const chinese = wordsFor(budget, "zh", URL, "Asia/Shanghai").text;
  expect(chinese).toContain("2026-12-01 08:00 Asia/Shanghai (GMT+8)");
});

test("every form of Chinese is Chinese, and what is not known is English", () => {
  expect(["zh", "zh-CN", "ZH-hans", "en", "fr", ""].map(languageOf)).toEqual([
    "zh",
    "zh",
    "zh",
    "en",
    "en",
    "en",
  ]);
});
