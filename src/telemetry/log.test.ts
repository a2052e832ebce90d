import { describe, expect, test } from "bun:test";
import { createLog, logFormat } from "./log.ts";

describe("createLog", () => {
  const capture = (level: Parameters<typeof createLog>[0]) => {
    const lines: string[] = [];
    return { log: createLog(level, (line) => lines.push(line)), lines };
  };

  test("writes one JSON object per line with time, level and event", () => {
    const { log, lines } = capture("info");
    log.warn("something", { count: 2, amount: 12n });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith("\n")).toBe(true);
    const line = JSON.parse(lines[0] ?? "");
    expect(line).toMatchObject({ level: "warn", event: "something", count: 2, amount: "12" });
    expect(new Date(line.time).toISOString()).toBe(line.time);
  });

  test("leaves out what is below its level", () => {
    const { log, lines } = capture("warn");
    log.debug("a");
    log.info("b");
    log.warn("c");
    log.error("d");
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(["c", "d"]);
  });

  test("shows an error with its cause, and no secret in any of them", () => {
    const { log, lines } = capture("info");
    const cause = new Error("Bearer abcdef refused");
    log.error("broke", { thrown: new Error("call with sk-live-12345678 failed", { cause }) });
    const { thrown } = JSON.parse(lines[0] ?? "");
    expect(thrown.name).toBe("Error");
    expect(thrown.message).toBe("call with … failed");
    expect(thrown.cause).toBe("Bearer … refused");
    expect(lines[0]).not.toContain("12345678");
  });

  test("stays one JSON object, whatever stands in quotes and whatever follows a secret", () => {
    const { log, lines } = capture("info");
    const message = 'header "Authorization: Bearer abcdef" is not taken';
    log.error("broke", { message, thrown: new Error(message) });
    log.error("broke", { address: "http://collector:4318", people: ["ann@example.com"], count: 1 });
    const shown = 'header "Authorization: Bearer …" is not taken';
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { message: shown, thrown: { message: shown } },
      { address: "http://collector:4318", people: ["ann@example.com"], count: 1 },
    ]);
  });

  test("has no secret that stands in JSON which somebody quotes, nor one that a field is named after", () => {
    const { log, lines } = capture("info");
    const message = 'answered {"access_token":"abcdef","expires_in":7200}';
    log.error("broke", { message, secret: "abcdef", inner: { component_secret: "abcdef" } });
    expect(lines[0]).not.toContain("abcdef");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      message: 'answered {"access_token":"…","expires_in":7200}',
      secret: "…",
      inner: { component_secret: "…" },
    });
  });
});

describe("a log at a terminal", () => {
  const written = (fields: Record<string, unknown>) => {
    const lines: string[] = [];
    createLog("info", (line) => lines.push(line), "text").warn("something", fields);
    return lines.join("");
  };

  test("is text, and JSON everywhere else", () => {
    expect(logFormat({ isTTY: true })).toBe("text");
    expect([logFormat({ isTTY: false }), logFormat({})]).toEqual(["json", "json"]);
  });

  test("has the time of day, the level, the event and the fields", () => {
    const line = written({
      count: 2,
      amount: 12n,
      model: "acme/fox-1.0",
      why: "no room",
      none: null,
    });
    expect(line).toMatch(/^\d\d:\d\d:\d\d warn {2}something /);
    expect(line).toEndWith('count=2 amount=12 model=acme/fox-1.0 why="no room" none=null\n');
  });

  test("shows an error with its stack, and no secret", () => {
    const line = written({ thrown: new Error("call with sk-live-12345678 failed"), secret: "x y" });
    expect(line).toContain('thrown="Error: call with … failed"');
    expect(line.split("\n").length).toBeGreaterThan(2);
    expect(line).not.toContain("12345678");
    expect(line).not.toContain("x y");
  });

  test("steers no terminal and begins no line by what it shows", () => {
    const evil = "\u001b[2J\u009b2J\n09:00:00 error forged";
    const thrown = new Error(evil);
    thrown.stack = evil;
    const line = written({ evil, thrown });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
    expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(line).not.toMatch(/^09:00:00/m);
  });
});
