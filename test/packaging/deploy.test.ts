// The image, compose, the chart and the service of systemd. Their own tools judge them where this machine has these.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { z } from "zod";
import { version } from "../../package.json" with { type: "json" };
import { isFull } from "../support/counts.ts";
import { partsOfTest } from "../support/houses/house.ts";

const DEPLOY = join(import.meta.dir, "../../deploy");
const CHART = join(DEPLOY, "helm/faregate");
const EXAMPLES = readdirSync(join(CHART, "examples")).filter((name) => name.startsWith("values-"));

const parts = partsOfTest();

const textOf = (...path: string[]) => readFileSync(join(DEPLOY, ...path), "utf8");

interface Ran {
  readonly code: number;
  readonly out: string;
}

async function run(...command: string[]): Promise<Ran> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, complaint, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  return { code, out: out + complaint };
}

/** A tool that is no package of npm. Its tests run with the full counts, where the machine has it. */
function foundTool(name: string): string {
  const path = isFull ? Bun.which(name) : null;
  if (isFull && path === null) console.log(`  skipped: ${name} is not on this machine`);
  return path ?? "";
}

const HELM = foundTool("helm");
const VALIDATE = foundTool("kubernetes-validate");
const HADOLINT = foundTool("hadolint");
const ANALYZE = foundTool("systemd-analyze");

describe("the image", () => {
  const lines = textOf("Dockerfile").split("\n");
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));

  test("runs as a numeric user, ends on SIGTERM and asks its own health", () => {
    expect(last).toContain("USER 65532:65532");
    expect(last).toContain("STOPSIGNAL SIGTERM");
    expect(last).toContain('ENTRYPOINT ["faregate"]');
    expect(last.find((line) => line.startsWith("HEALTHCHECK"))).toEndWith(
      'CMD ["faregate", "health"]',
    );
    // Nothing that is built or fetched reaches the last stage but the executable and an empty folder.
    expect(last.filter((line) => /^(?:RUN|ADD)\b/.test(line))).toEqual([]);
  });

  test("is built for the machine that the builder names", () => {
    // A default would win over that name.
    expect(lines).toContain("ARG TARGETARCH");
    expect(textOf("Dockerfile")).toMatch(/^FROM --platform=\$BUILDPLATFORM .* AS build$/m);
    // It would be downloaded, also where both bases are replaced.
    expect(lines.filter((line) => line.startsWith("# syntax="))).toEqual([]);
  });

  test.skipIf(HADOLINT === "")("has no fault that hadolint knows", async () => {
    expect(await run(HADOLINT, join(DEPLOY, "Dockerfile"))).toEqual({ code: 0, out: "" });
  });
});

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment: Record<string, string>;
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly stop_grace_period: string;
  readonly depends_on?: Record<string, { condition: string }>;
}

const { services, volumes } = YAML.parse(textOf("compose/compose.yaml")) as {
  services: { faregate: Service; postgres: Service };
  volumes: Record<string, null>;
};
const { faregate, postgres } = services;

test("compose builds the image of this project and uses its port and its folder", () => {
  const { context = "", dockerfile = "" } = faregate.build ?? {};
  const built = readFileSync(join(DEPLOY, "compose", context, dockerfile), "utf8");
  expect(built).toBe(textOf("Dockerfile"));
  const [, port] = /^EXPOSE (\d+)$/m.exec(built) ?? [];
  expect(faregate.ports).toEqual([`127.0.0.1:8080:${port}`]);
  const [, folder] = /^VOLUME (\S+)$/m.exec(built) ?? [];
  expect(faregate.volumes).toEqual([`data:${folder}`]);
  const named = [...faregate.volumes, ...postgres.volumes].map((each) => each.split(":")[0]);
  expect(Object.keys(volumes)).toEqual(named as string[]);
  const { POSTGRES_USER, POSTGRES_DB } = postgres.environment;
  const url = faregate.environment.DATABASE_URL ?? "";
  expect(url).toStartWith(`postgres://${POSTGRES_USER}:`);
  expect(url).toEndWith(`@postgres:5432/${POSTGRES_DB}`);
  // At its socket PostgreSQL answers before it has made the database.
  expect(postgres.healthcheck?.test).toContain("--host=127.0.0.1");
});

test("compose has no default password, waits for PostgreSQL and gives clients time at a stop", () => {
  const secrets = [faregate.environment.FAREGATE_SECRET, postgres.environment.POSTGRES_PASSWORD];
  for (const secret of secrets) expect(secret).toMatch(/^\$\{[A-Z_]+:\?.+\}$/);
  expect(faregate.environment.DATABASE_URL).toContain(":${POSTGRES_PASSWORD:?");
  expect(faregate.depends_on?.postgres?.condition).toBe("service_healthy");
  expect(faregate.read_only).toBe(true);
  // 60 s for clients and 8 s to settle.
  expect(Number.parseInt(faregate.stop_grace_period, 10)).toBeGreaterThanOrEqual(68);
});

describe("the chart", () => {
  const schema = z.fromJSONSchema(JSON.parse(textOf("helm/faregate/values.schema.json")));
  const values = YAML.parse(textOf("helm/faregate/values.yaml"));

  test("has the version of the program", () => {
    const chart = YAML.parse(textOf("helm/faregate/Chart.yaml")) as Record<string, string>;
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
  });

  test("has a schema that knows its values and those of its examples, and no others", () => {
    expect(schema.safeParse(values).error).toBeUndefined();
    for (const name of EXAMPLES) {
      const example = YAML.parse(textOf("helm/faregate/examples", name));
      expect(schema.safeParse(example).error, name).toBeUndefined();
    }
    for (const wrong of [
      { replicas: 2 },
      { secret: { value: "short" } },
      { database: { url: "mysql://db" } },
      { settings: { "not-a-name": "1" } },
    ]) {
      expect(schema.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    }
  });

  const rendered = (...more: string[]) => run(HELM, "template", "t", CHART, ...more);

  test.skipIf(HELM === "")("passes helm's own lint", async () => {
    const { code, out } = await run(HELM, "lint", "--strict", CHART);
    expect(code, out).toBe(0);
  });

  test.skipIf(HELM === "")(
    "refuses what would lose data or not start, with a sentence",
    async () => {
      const refused = async (...settings: string[]) => {
        const { code, out } = await rendered(...settings.flatMap((each) => ["--set", each]));
        expect(code).not.toBe(0);
        return out;
      };
      expect(await refused("replicaCount=2")).toContain("SQLite has one pod: set database.url");
      expect(await refused("autoscaling.enabled=true")).toContain("SQLite has one pod");
      expect(await refused("database.url=postgres://db/f")).toContain(
        "PostgreSQL needs one secret",
      );
      expect(await refused("ingress.enabled=true")).toContain("Set ingress.hosts");
      expect(await refused("replicaCoun=1")).toContain("replicaCoun");
    },
  );

  test.skipIf(HELM === "").each(["", ...EXAMPLES])(
    "makes objects of %p that Kubernetes takes",
    async (name) => {
      const example = name === "" ? [] : ["--values", join(CHART, "examples", name)];
      const { code, out } = await rendered(...example);
      expect(code, out).toBe(0);
      expect(out).not.toContain("<no value>");
      const isPostgres = /cloudnative|pgbouncer/.test(name);
      expect(out.includes("type: Recreate")).toBe(!isPostgres);
      expect(out.includes("PersistentVolumeClaim")).toBe(!isPostgres);
      if (VALIDATE === "") return;
      const file = join(parts.folder(), "objects.yaml");
      writeFileSync(file, out);
      const valid = await run(VALIDATE, "--strict", "--kubernetes-version", "1.30", file);
      expect(valid.code, valid.out).toBe(0);
      expect(valid.out).not.toContain("ERROR");
    },
  );
});

describe("the service of systemd", () => {
  const unit = textOf("systemd/faregate.service");

  test("gives clients time at a stop and has the usual hardening", () => {
    const setting = (name: string) => unit.match(new RegExp(`^${name}=(.*)$`, "m"))?.[1];
    expect(Number.parseInt(setting("TimeoutStopSec") ?? "", 10)).toBeGreaterThanOrEqual(68);
    expect([setting("DynamicUser"), setting("ProtectSystem")]).toEqual(["yes", "strict"]);
    // The runtime compiles code while it runs.
    expect(setting("MemoryDenyWriteExecute")).toBeUndefined();
  });

  test.skipIf(ANALYZE === "")("has no fault that systemd knows", async () => {
    const file = join(parts.folder(), "faregate.service");
    writeFileSync(file, unit.replaceAll("/usr/local/bin/faregate", process.execPath));
    expect(await run(ANALYZE, "verify", file)).toEqual({ code: 0, out: "" });
    const { out } = await run(ANALYZE, "security", "--offline=true", file);
    const exposure = Number(out.match(/Overall exposure level .*: ([\d.]+)/)?.[1]);
    expect(exposure).toBeLessThan(2.5);
  });
});
