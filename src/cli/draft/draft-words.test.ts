import { afterEach, expect, test } from "bun:test";
import { Fault, type FaultName } from "../../lib/faults.ts";
import { speak } from "../words/language.ts";
import { diagnosisWords, draftWords, exitCodeOf, faultWords } from "./draft-words.ts";

afterEach(() => speak("en"));

const fault = (name: FaultName, kind?: string) =>
  new Fault(name, "x", { facts: kind === undefined ? {} : { class: kind } });

test.each([
  ["preflight_failed", undefined, 2],
  ["not_found", undefined, 2],
  ["idempotency_conflict", undefined, 2],
  ["platform_refused", "input", 2],
  ["platform_refused", "ip", 3],
  ["platform_refused", "token", 3],
  ["platform_refused", "config", 3],
  ["invalid_api_key", undefined, 3],
  ["upstream_unavailable", undefined, 3],
  ["platform_refused", "limit", 4],
  ["budget_exceeded", undefined, 4],
  ["rate_limit_exceeded", undefined, 4],
  ["platform_unknown", undefined, 5],
  ["push_busy", undefined, 5],
  ["internal_error", undefined, 1],
] as const)("%s of class %s ends with %i", (name, kind, code) => {
  expect(exitCodeOf(fault(name, kind))).toBe(code);
});

test("a refusal for money says what helps", () => {
  const facts = { fix: "Top up the balance." };
  expect(faultWords(new Fault("budget_exceeded", "It is used up", { facts }))).toBe(
    "It is used up\nTop up the balance.",
  );
});

test("a refusal names every error and the draft that was kept", () => {
  const problems = [
    { severity: "error", article: 0, field: "title", message: "33 of 32." },
    { severity: "info", article: 0, field: "cover", message: "Drawn." },
    { severity: "error", article: 1, field: "author", message: "17 of 16." },
  ];
  const words = faultWords(
    new Fault("preflight_failed", "x", { facts: { problems, draft_id: "drf_1" } }),
  );
  expect(words).toContain("articles[0].title: 33 of 32.");
  expect(words).toContain("articles[1].author: 17 of 16.");
  expect(words).not.toContain("Drawn");
  expect(words).toContain("faregate draft retry drf_1");
});

test("a draft and a diagnosis say whose box it is, and whether anybody reads there", () => {
  const real = {
    name: "ours",
    appid: "wx1",
    sandbox: false,
    platform_url: "https://api.weixin.qq.com",
  };
  const draft = { id: "drf_1", status: "in_box", articles: [{ title: "t" }], writing: [] };
  const words = draftWords({ ...draft, receipt: { sandbox: false, destination: real } });
  expect(words).toContain("ours (wx1) on the real platform, https://api.weixin.qq.com");
  const sandbox = { ...real, name: "sandbox", sandbox: true, platform_url: null };
  const diagnosis = { healthy: true, destination: sandbox, findings: [] };
  expect(diagnosisWords(diagnosis)).toContain("sandbox (wx1) on the built-in sandbox");
});

test("what the server says in English is said in the language of the terminal", () => {
  speak("zh");
  const problems = [
    { code: "title_too_long", severity: "error", article: 0, field: "title", found: 40, limit: 32 },
    { code: "of_tomorrow", severity: "error", article: 0, field: "x", message: "Not known yet." },
  ];
  const refused = faultWords(new Fault("preflight_failed", "x", { facts: { problems } }));
  expect(refused).toContain("articles[0].title: 标题共 40 个字符，最多 32 个。");
  expect(refused).toContain("articles[0].x: Not known yet.");
  const facts = { errcode: 45003, class: "input", fix: "Shorten the title." };
  const platform = new Fault(
    "platform_refused",
    "The platform refused it: 45003 x. Shorten the title.",
    {
      facts,
    },
  );
  expect(faultWords(platform)).toContain("缩短标题");
  const finding = {
    check: "quota",
    state: "skipped",
    message: "Not known.",
    reason: null,
    fix: null,
  };
  const words = diagnosisWords({ healthy: false, findings: [finding] });
  expect(words).toContain("未检测");
  expect(words).toContain("今日额度");
});
