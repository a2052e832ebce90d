// Builds deploy/Dockerfile with buildah and runs the image: as its own user, as PID 1, with a read-only root.
//
// The bases are images that buildah can find: FAREGATE_TEST_BUILD_BASE has Node and npm, FAREGATE_TEST_BASE is a slim
// Debian. Where no registry can be reached, `mmdebstrap --variant=apt bookworm base.tar` makes a base to import.
// STORAGE_DRIVER=vfs and CONTAINERS_STORAGE_CONF say where buildah keeps them.
import { describe, expect, test } from "bun:test";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { POSTGRES } from "../store/engines.ts";
import { freePort } from "../support/free-port.ts";
import { type Parts, partsOfTest, perFile } from "../support/houses/house.ts";
import { systemTool } from "../support/tools.ts";
import { eventually } from "../support/waiting.ts";
import { firstCall, PROJECT, run, serve } from "./shipped.ts";

const { FAREGATE_TEST_BUILD_BASE, FAREGATE_TEST_BASE } = process.env;
const BASES = [`BUILD=${FAREGATE_TEST_BUILD_BASE}`, `BASE=${FAREGATE_TEST_BASE}`];
const USER = 65532;
/** More than the image has on a slim Debian, and far less than with the packages of the build. */
const SIZE_MAX = 450e6;

function canBuild(): boolean {
  const buildah = systemTool("buildah", "buildah");
  const unshare = systemTool("unshare", "util-linux");
  if (buildah === undefined || unshare === undefined) return false;
  if (!FAREGATE_TEST_BUILD_BASE || !FAREGATE_TEST_BASE) {
    console.warn(
      "Skipped: FAREGATE_TEST_BUILD_BASE and FAREGATE_TEST_BASE name no images to build the image from",
    );
    return false;
  }
  if (process.getuid?.() === 0) return true;
  console.warn("Skipped: only root can mount the image");
  return false;
}

async function output(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, complaint] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${complaint}${out}`);
  return out.trim();
}

interface ImageConfig {
  readonly User: string;
  readonly Env: string[];
  readonly Cmd: string[];
  readonly Entrypoint: string[];
  readonly WorkingDir: string;
  readonly Volumes: Record<string, unknown>;
  readonly ExposedPorts: Record<string, unknown>;
  readonly StopSignal: string;
  readonly Healthcheck?: { readonly Test: string[] };
}

/** Builds the image, and resolves with its settings, its size and the folder that its files are in. */
async function buildImage(parts: Parts) {
  const tag = `localhost/faregate-test:${process.pid}`;
  const policy = join(parts.folder(), "policy.json");
  writeFileSync(policy, '{"default":[{"type":"insecureAcceptAnything"}]}');
  // npm downloads nothing twice.
  const cache = process.env.npm_config_cache ?? "";
  await output(
    ...["buildah", "bud", "--isolation", "chroot", "--format", "docker", "--quiet"],
    ...["--signature-policy", policy, "--file", join(PROJECT, "deploy/Dockerfile")],
    ...BASES.flatMap((each) => ["--build-arg", each]),
    ...(existsSync(cache) ? ["--volume", `${cache}:/root/.npm`] : []),
    ...["--tag", tag, PROJECT],
  );
  parts.defer(() => output("buildah", "rmi", tag).then(() => {}));
  const container = await output("buildah", "from", "--signature-policy", policy, tag);
  parts.defer(() => output("buildah", "rm", container).then(() => {}));
  const inspected = JSON.parse(await output("buildah", "inspect", "--type", "image", tag));
  const config: ImageConfig = inspected.Docker.config;
  const root = await output("buildah", "mount", container);
  const size = Number(await output("sh", "-c", 'du -sxb "$0" | cut -f1', root));
  return { config, root, size };
}

const isHere = canBuild();
const image = isHere ? await perFile(buildImage) : undefined;

/** How compose mounts /tmp, behind what Docker does by itself: nothing there can be run. */
const compose = YAML.parse(readFileSync(join(PROJECT, "deploy/compose/compose.yaml"), "utf8")) as {
  services: { faregate: { tmpfs: string[] } };
};
const [TEMPORARY = ""] = compose.services.faregate.tmpfs;
const TEMPORARY_OPTIONS = ["noexec,nosuid,nodev,mode=1777", ...TEMPORARY.split(":").slice(1)];

/** Mounts what compose does: a read-only root, /tmp and /data. Then it becomes the program, as PID 1. */
const START = `
root=$1 data=$2; shift 2
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o ${TEMPORARY_OPTIONS.join(",")} tmpfs "$root/tmp"
mount --bind "$data" "$root/data"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs chroot --userspec=${USER}:${USER} "$root" /usr/bin/env -i -C "$@"`;

type Settings = Readonly<Record<string, string>>;

async function twoGates(parts: Parts): Promise<Settings> {
  const { settings } = await POSTGRES.site(parts);
  return { ...settings, FAREGATE_WORKERS: "2" };
}

/** Starts a server from the image, on a port of its own. */
async function serveImage(parts: Parts, settings: Settings = {}) {
  if (!image) throw new Error("there is no image");
  const { config, root } = image;
  const data = join(parts.folder(), "data");
  mkdirSync(data);
  chownSync(data, USER, USER);
  const own = { ...settings, FAREGATE_PORT: String(await freePort()) };
  const told = Object.entries(own).map(([name, value]) => `${name}=${value}`);
  // The image has its own address and folder.
  const environment = [...told, ...config.Env];
  const within = [config.WorkingDir, ...environment];
  const isolated = ["unshare", "--mount", "--pid", "--fork", "--kill-child"];
  const command = [...isolated, "sh", "-ec", START, "sh", root, data, ...within];
  const server = await serve(parts, { cwd: "/", command: [...command, ...config.Entrypoint] }, {});
  const children = (pid: number) =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .split(" ")
      .filter(Boolean)
      .map(Number);
  const [first = 0] = children(server.pid);
  const enter = ["nsenter", "--target", String(first), "--mount", "--pid", "--root"];
  const user = ["/usr/sbin/chroot", `--userspec=${USER}:${USER}`, "/"];
  const inside = {
    cwd: "/",
    command: [...enter, ...user, "/usr/bin/env", "-i", "-C", ...within],
  };
  return {
    ...server,
    data,
    pid: first,
    children: () => children(first),
    /** Runs a command beside the server, as `docker exec` does. */
    exec: (...words: string[]) => run(inside, words, {}),
    async stop() {
      process.kill(first, "SIGTERM");
      return server.ended;
    },
  };
}

describe.skipIf(!isHere)("the image", () => {
  const parts = partsOfTest();

  test("has its settings, its health check among them, and little else than Debian", () => {
    expect(image?.config).toMatchObject({
      User: `${USER}:${USER}`,
      Entrypoint: ["faregate"],
      Cmd: ["serve"],
      WorkingDir: "/data",
      Volumes: { "/data": {} },
      ExposedPorts: { "8080/tcp": {} },
      StopSignal: "SIGTERM",
      Healthcheck: { Test: ["CMD", "faregate", "health"] },
    });
    expect(image?.size).toBeLessThan(SIZE_MAX);
    console.log(`  the image has ${Math.round((image?.size ?? 0) / 1e6)} MB`);
  });

  test("serves a first call as PID 1 and as its user, with a root that is read-only", async () => {
    const server = await serveImage(parts);
    expect((await firstCall(server.url, server.key)).status).toBe(200);
    const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
    expect(status).toMatch(/^NSpid:\s+\d+\s+1$/m);
    expect(status).toMatch(/^Uid:\s+65532\s+65532\s+65532\s+65532$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect((await server.exec("touch", "/usr/file")).stderr).toContain("Read-only file system");
    expect((await server.exec("touch", "/tmp/file", "/data/file")).code).toBe(0);
    expect(readdirSync(server.data)).toContain("faregate.sqlite");
  });

  test("answers its health check beside the server, and not without one", async () => {
    const server = await serveImage(parts);
    for (const words of [["health"], ["health", "--ready"]]) {
      expect(await server.exec("faregate", ...words)).toMatchObject({ code: 0, stderr: "" });
    }
    const elsewhere = await server.exec("env", "FAREGATE_PORT=1", "faregate", "health");
    expect(elsewhere.code).toBe(1);
  });

  test("makes keys, pushes drafts and backs up beside the server", async () => {
    const server = await serveImage(parts);
    const key = await server.exec("faregate", "key", "create", "--name", "first");
    expect(key.stdout).toMatch(/sk-fg-\w+/);
    writeFileSync(join(server.data, "a.md"), "---\nauthor: Ada\n---\n# Cranes\n\nThey stay.\n");
    // It draws a cover and remembers the file.
    const push = await server.exec("faregate", "draft", "push", "/data/a.md", "--json");
    expect(push).toMatchObject({ code: 0, stderr: "" });
    const backup = await server.exec("faregate", "backup", "/data/today.tar");
    expect(backup).toMatchObject({ code: 0, stderr: "" });
  });

  test.each([
    { gates: "one gate", settings: async () => ({}) },
    { gates: "two gates on PostgreSQL", settings: twoGates },
  ])("collects children that die, and ends with 0 on SIGTERM: $gates", async ({ settings }) => {
    const server = await serveImage(parts, await settings(parts));
    const hasConsole = async () => (await fetch(`${server.url}/console/`)).status === 200;
    expect(await hasConsole()).toBe(true);
    const killed = server.children();
    expect(killed).not.toEqual([]);
    for (const pid of killed) process.kill(pid, "SIGKILL");
    // A zombie is still a child.
    await eventually("they are gone", () =>
      server.children().every((pid) => !killed.includes(pid)),
    );
    await eventually("the console is back", () => hasConsole().catch(() => false));
    expect((await firstCall(server.url, server.key)).status).toBe(200);
    const { code, errors } = await server.stop();
    expect(errors).toContain("process_stopped");
    expect(code).toBe(0);
  });
});
