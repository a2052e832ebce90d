import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { perFile } from "../../test/support/houses/house.ts";
import { ConfigError, readConfig } from "./config.ts";

function message(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message;
    throw thrown;
  }
  return "";
}

describe("readConfig", () => {
  test("needs nothing", () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      dataDir: "./data",
      databaseUrl: undefined,
      publicUrl: undefined,
      trustedProxies: [],
      sandbox: "auto",
      storeResponses: true,
      logLevel: "info",
    });
    expect(config.limits.body_bytes_max).toBe(64 * 1024 * 1024);
    expect(config.limits.key_requests_per_minute).toBe(3_000);
    expect(config.limits.admission_wait_ms).toBe(10_000);
    expect(config.vendor("OPENAI_API_KEY", "OPENAI_BASE_URL")).toBeUndefined();
  });

  test("reads every setting", () => {
    const config = readConfig({
      FAREGATE_HOST: "0.0.0.0",
      FAREGATE_PORT: "0",
      FAREGATE_DATA: "/var/lib/faregate",
      DATABASE_URL: "postgres://u:p@db/faregate",
      FAREGATE_PUBLIC_URL: "https://api.example.com/",
      FAREGATE_TRUSTED_PROXIES: "10.0.0.0/8, ::1",
      FAREGATE_SANDBOX: "off",
      FAREGATE_STORE: "off",
      FAREGATE_LOG: "debug",
    });
    expect(config).toMatchObject({
      host: "0.0.0.0",
      port: 0,
      dataDir: "/var/lib/faregate",
      databaseUrl: "postgres://u:p@db/faregate",
      publicUrl: "https://api.example.com",
      trustedProxies: ["10.0.0.0/8", "::1"],
      sandbox: "off",
      storeResponses: false,
      logLevel: "debug",
    });
  });

  test("takes each limit from a variable of its name", () => {
    const names = Object.keys(readConfig({}).limits);
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) {
      const limits = readConfig({ [`FAREGATE_${name.toUpperCase()}`]: "2077" }).limits;
      const changed = Object.entries(limits).filter(([, value]) => value === 2077);
      expect(changed).toEqual([[name, 2077]]);
    }
  });

  test.each(["999", "255001", "0"])(
    "an upload limit of %p that the runtime cannot keep is named",
    (value) => {
      expect(() => readConfig({ FAREGATE_UPLOAD_IDLE_MS: value })).toThrow(
        /FAREGATE_UPLOAD_IDLE_MS.*1000 to 255000/,
      );
    },
  );

  test.each([
    ...["SHUTDOWN_DELAY_MS", "SHUTDOWN_DRAIN_MS", "SHUTDOWN_END_MS", "OFFICE_START_MS"],
    ...["OFFICE_LOOK_MS", "NOTICE_TICK_MS", "UPLOAD_MS", "UPSTREAM_CONNECT_MS", "MAIL_SEND_MS"],
    ...["RESTART_REST_MS_MAX", "PLATFORM_DELAY_MS_MAX", "PLATFORM_PUBLISH_MS", "TRACE_FLUSH_MS"],
  ])("a time of FAREGATE_%s at which a timer would ring at once is refused", (name) => {
    const variable = `FAREGATE_${name}`;
    // 30 days, and a millisecond more than a timer takes.
    for (const value of ["2592000000", "2147483648"]) {
      expect(message({ [variable]: value })).toBe(
        `${variable} is "${value}"; it must be a whole number from 0 to 500000000.`,
      );
    }
  });

  test("the longest times that can be told for the steps of an end are no more than a timer takes together", () => {
    const refusal = message({ FAREGATE_SHUTDOWN_END_MS: String(Number.MAX_SAFE_INTEGER) });
    const most = Number(/ to (\d+)\.$/.exec(refusal)?.[1]);
    // Delay, drain, end, the end once more, and some seconds for a process that stands still.
    expect(4 * most + 60_000).toBeLessThan(2 ** 31);
  });

  test.each([
    "RESPONSE_TTL_MS",
    "IDEMPOTENCY_KEEP_MS",
    "NOTICE_KEEP_MS",
    "STICKY_MS",
    "OFFICE_IDLE_MS",
  ])("a time of FAREGATE_%s, for which no timer is set, may be a year", (name) => {
    const { limits } = readConfig({ [`FAREGATE_${name}`]: "31536000000" });
    expect(Object.entries(limits)).toContainEqual([name.toLowerCase(), 31_536_000_000]);
  });

  test("names settings that are gone, and what became of them", () => {
    const { gone } = readConfig({ FAREGATE_HOLD_OUTPUT_TOKENS_DEFAULT: "4096" });
    expect(Object.keys(gone)).toEqual(["FAREGATE_HOLD_OUTPUT_TOKENS_DEFAULT"]);
    expect(readConfig({}).gone).toEqual({});
  });

  test("treats an empty variable as one that is not set", () => {
    const config = readConfig({
      FAREGATE_PORT: "",
      FAREGATE_SANDBOX: "",
      FAREGATE_PUBLIC_URL: "",
      DATABASE_URL: "",
      FAREGATE_DRAIN_MS: "",
      OPENAI_API_KEY: " ",
    });
    expect([config.port, config.sandbox, config.publicUrl]).toEqual([8080, "auto", undefined]);
    expect(config.limits.drain_ms).toBe(300_000);
    expect(config.vendor("OPENAI_API_KEY", "OPENAI_BASE_URL")).toBeUndefined();
  });

  test.each([
    ["FAREGATE_PORT", "65536"],
    ["FAREGATE_PORT", "-1"],
    ["FAREGATE_PORT", "80.5"],
    ["FAREGATE_PORT", "1e3"],
    ["FAREGATE_PORT", " 80"],
    ["FAREGATE_SANDBOX", "yes"],
    ["FAREGATE_STORE", "true"],
    ["FAREGATE_LOG", "loud"],
    ["FAREGATE_PUBLIC_URL", "example.com"],
    ["FAREGATE_PUBLIC_URL", "ftp://example.com"],
    ["DATABASE_URL", "mysql://localhost/x"],
    ["FAREGATE_DRAIN_MS", "99999999999999999999"],
    ["FAREGATE_BODY_BYTES_MAX", "64MiB"],
  ])("refuses %s=%p and names it", (name, value) => {
    expect(message({ [name]: value })).toContain(name);
  });

  test("does not print the password of a database address", () => {
    expect(message({ DATABASE_URL: "mysql://me:hunter2@db/x" })).not.toContain("hunter2");
  });

  test("gives a vendor's credential without its surrounding space", () => {
    const config = readConfig({
      OPENAI_API_KEY: " sk-1\n",
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1/",
    });
    expect(config.vendor("OPENAI_API_KEY", "OPENAI_BASE_URL")).toEqual({
      apiKey: "sk-1",
      apiKeys: ["sk-1"],
      baseUrl: "http://127.0.0.1:9/v1",
    });
  });

  test("takes several keys from one variable", () => {
    const config = readConfig({ OPENAI_API_KEY: "sk-1, sk-2,,sk-3 " });
    expect(config.vendor("OPENAI_API_KEY", "OPENAI_BASE_URL")?.apiKeys).toEqual([
      "sk-1",
      "sk-2",
      "sk-3",
    ]);
  });

  test("a server that needs no key is there once its address is", () => {
    const config = readConfig({ OLLAMA_BASE_URL: "http://127.0.0.1:11434/v1" });
    expect(config.vendor("OLLAMA_API_KEY", "OLLAMA_BASE_URL")).toBeUndefined();
    expect(config.vendor("OLLAMA_API_KEY", "OLLAMA_BASE_URL", true)).toEqual({
      apiKey: "",
      apiKeys: [],
      baseUrl: "http://127.0.0.1:11434/v1",
    });
    expect(config.vendor("VLLM_API_KEY", "VLLM_BASE_URL", true)).toBeUndefined();
  });

  test("cannot be changed afterwards", () => {
    const config = readConfig({});
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.limits)).toBe(true);
  });
});

const folder = await perFile((parts) => parts.folder());

describe("the file", () => {
  test("is not looked for where nobody says in which folder", () => {
    expect(readConfig({}).file).toBeUndefined();
    expect(readConfig({}, folder).file).toBeUndefined();
  });

  test("is read from the folder, or from where the environment says", () => {
    const path = join(folder, "faregate.yaml");
    writeFileSync(path, "markup_percent: 10\n");
    expect(readConfig({}, folder).file?.markupPercent).toBe("10");
    const other = join(folder, "other.yaml");
    writeFileSync(other, 'channels: [{ id: a, vendor: openai, keys: ["$' + '{KEY}"] }]\n');
    const { file } = readConfig({ FAREGATE_CONFIG: other, KEY: "sk-1" }, folder);
    expect(file?.channels[0]?.keys).toEqual(["sk-1"]);
    expect(file?.markupPercent).toBeUndefined();
    rmSync(path);
  });

  test("must be in UTF-8", () => {
    const path = join(folder, "other-signs.yaml");
    writeFileSync(path, Buffer.from([...Buffer.from("markup_percent: 1 # "), 0xd6, 0xd0]));
    expect(message({ FAREGATE_CONFIG: path })).toContain(`${path} is not UTF-8`);
  });

  test("must be there where the environment names it", () => {
    const path = join(folder, "gone.yaml");
    expect(message({ FAREGATE_CONFIG: path })).toContain(`${path} cannot be read (ENOENT)`);
  });
});
