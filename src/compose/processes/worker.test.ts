import { expect, test } from "bun:test";
import { join } from "node:path";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { keptLog } from "../../../test/support/logs.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { readConfig } from "../../config/config.ts";
import { type Launch, Worker } from "./worker.ts";

const parts = partsOfTest();

/** A worker as far as its supervisor knows it: it is ready, asks for the office, and ends when it is told to. */
const SCRIPT = `
  process.on("SIGTERM", () => process.exit(0));
  process.send({ kind: "ready", port: 4321 });
  process.send({ kind: "take", id: 1 });
  setInterval(() => {}, 1_000);
`;

function house(take: () => Promise<() => void>, script = SCRIPT, index = 1, leaseMs = "20000") {
  const { limits } = readConfig({
    FAREGATE_RESTART_REST_MS: "1",
    FAREGATE_RESTART_REST_MS_MAX: "2",
    FAREGATE_INSTANCE_LEASE_MS: leaseMs,
  });
  const kept = keptLog();
  const children: Bun.Subprocess[] = [];
  const ports: number[] = [];
  const greeted: boolean[] = [];
  const refusals: Error[] = [];
  const spawn = ({ port, greets, hear }: Launch) => {
    ports.push(port);
    greeted.push(greets);
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    const child = Bun.spawn([process.execPath, "-e", script], {
      stdio: ["ignore", "inherit", "inherit"],
      ipc: hear,
    });
    children.push(child);
    return child;
  };
  const worker = new Worker({ index, limits, log: kept.log, office: { take }, spawn });
  parts.defer(async () => {
    await worker.stop();
  });
  return { worker, children, ports, greeted, refusals, logged: kept.logged };
}

test("a worker for which the system has no room is started again when it has", async () => {
  let asked = 0;
  const { worker, children, ports, refusals, logged } = house(async () => {
    asked += 1;
    return () => {};
  });
  worker.start(0);
  expect(await worker.ready).toBe(4321);
  await eventually("it has asked for the office", () => asked === 1);
  refusals.push(new Error("ENOMEM"), new Error("EAGAIN"));
  children[0]?.kill("SIGKILL");
  await eventually("another one runs and has asked as well", () => asked === 2);
  // On the port that the first one had got.
  expect(ports).toEqual([0, 4321, 4321, 4321]);
  expect(logged("worker_not_started")).toMatchObject([
    { worker: 1, restMs: 1, thrown: { message: "ENOMEM" } },
    { worker: 1, restMs: 2, thrown: { message: "EAGAIN" } },
  ]);
  expect(await worker.stop()).toBe(true);
});

test("one that is told to stop before it serves ends in order, and is not begun again", async () => {
  const { worker, children, ports } = house(async () => () => {}, "setInterval(() => {}, 1_000);");
  worker.start(0);
  const ready = worker.ready.catch(({ message }: Error) => message);
  expect(await worker.stop()).toBe(true);
  expect(children[0]?.signalCode).toBe("SIGTERM");
  expect(await ready).toContain("ended before it served");
  worker.start(0);
  expect(ports).toEqual([0]);
});

test("one that is killed before it serves is started again, with pauses, and greets", async () => {
  const flag = join(parts.folder(), "well");
  const script = `
    if (await Bun.file(${JSON.stringify(flag)}).exists()) process.send({ kind: "ready", port: 4321 });
    setInterval(() => {}, 1_000);
  `;
  const { worker, children, ports, greeted, logged } = house(async () => () => {}, script, 0);
  worker.start(0);
  for (let kills = 0; kills < 3; kills++) {
    (await eventually("it is there", () => children[kills])).kill("SIGKILL");
  }
  await worker.tried;
  await eventually("it is there again", () => children[3]);
  await Bun.write(flag, "");
  children[3]?.kill("SIGTERM");
  expect(await worker.ready).toBe(4321);
  children[4]?.kill("SIGKILL");
  await eventually("it is there once more", () => children[5]);
  // Nobody knows a port before one has served; what it has said then is said.
  expect(ports).toEqual([0, 0, 0, 0, 0, 4321]);
  expect(greeted).toEqual([true, true, true, true, true, false]);
  const died = logged("worker_died");
  expect(died.map(({ restMs }) => restMs)).toEqual([0, 1, 2, 2, 2]);
  expect(died.map(({ served }) => served)).toEqual([false, false, false, false, true]);
  expect(died.map(({ signal }) => signal).slice(2)).toEqual(["SIGKILL", "SIGTERM", "SIGKILL"]);
});

test("one that ends by itself before it serves is the end of the start, also after one that was killed", async () => {
  const { worker } = house(async () => () => {}, "process.exit(2)");
  worker.start(0);
  for (const end of [worker.tried, worker.ready]) {
    expect(await end.catch((thrown: unknown) => thrown)).toMatchObject({ exitCode: 2 });
  }
  const flag = join(parts.folder(), "refuses");
  const script = `
    if (await Bun.file(${JSON.stringify(flag)}).exists()) process.exit(1);
    setInterval(() => {}, 1_000);
  `;
  const { worker: later, children } = house(async () => () => {}, script);
  later.start(0);
  await Bun.write(flag, "");
  children[0]?.kill("SIGKILL");
  // Whoever serves beside it is not to end by that.
  await later.tried;
  expect(await later.ready.catch((thrown: unknown) => thrown)).toMatchObject({ exitCode: 1 });
});

test("one that is told to stop while it waits to be started again is not", async () => {
  const { worker, ports, refusals } = house(async () => () => {});
  refusals.push(...Array.from({ length: 100 }, () => new Error("EAGAIN")));
  worker.start(0);
  await worker.tried;
  expect(await worker.stop()).toBe(true);
  expect(await worker.ready.catch(({ message }: Error) => message)).toContain("told to stop");
  const { length } = ports;
  // Longer than any of its pauses.
  await Bun.sleep(10);
  expect(ports).toHaveLength(length);
});

test("one that has served and is ended by a signal has not ended in order", async () => {
  const script = `process.send({ kind: "ready", port: 4321 }); setInterval(() => {}, 1_000);`;
  const { worker } = house(async () => () => {}, script);
  worker.start(0);
  await worker.ready;
  expect(await worker.stop()).toBe(false);
});

test("one that ends while it waits for the office takes nobody with it, whatever the office says", async () => {
  for (const answer of ["there", "not there"]) {
    const asked = Promise.withResolvers<void>();
    const office = Promise.withResolvers<() => void>();
    const { worker, children } = house(() => {
      asked.resolve();
      return office.promise;
    });
    worker.start(0);
    await asked.promise;
    const [child] = children;
    expect(await worker.stop()).toBe(true);
    expect(child?.exitCode).toBe(0);
    let isFree = false;
    if (answer === "there") office.resolve(() => (isFree = true));
    else office.reject(new Error("the office ended before it was ready"));
    // An error that nobody takes would be that of this test.
    await Bun.sleep(0);
    expect(isFree).toBe(answer === "there");
  }
});

test.each([
  ["is stopped", "process.kill(process.pid, 'SIGSTOP')"],
  ["is busy for ever", "for (;;);"],
])(
  "one whose main thread %s is ended when its lease is over, and started again",
  async (_, hang) => {
    const script = `
    process.on("message", ({ kind }) => {
      if (kind !== "ask") return;
      process.send({ kind: "alive" });
      setTimeout(() => { ${hang} }, 100);
    });
    process.send({ kind: "ready", port: 4321 });
  `;
    const { worker, children, logged } = house(async () => () => {}, script, 1, "1000");
    worker.start(0);
    await eventually("another one runs", () => children[1]);
    const hung = { worker: 1, pid: children[0]?.pid };
    expect(logged("worker_hangs")[0]).toMatchObject({ ...hung, silentMs: 1_000 });
    expect(logged("worker_died")[0]).toMatchObject({ ...hung, signal: "SIGKILL", served: true });
    children[1]?.kill("SIGKILL");
  },
);

test("one that has been told to stop, and hangs, is ended when its lease is over", async () => {
  const script = `
    process.on("SIGTERM", () => { for (;;); });
    setInterval(() => {}, 1_000);
    process.send({ kind: "ready", port: 4321 });
  `;
  const { worker, children, logged } = house(async () => () => {}, script, 1, "1000");
  worker.start(0);
  await worker.ready;
  expect(await worker.stop()).toBe(false);
  expect(logged("worker_hangs")).toMatchObject([{ pid: children[0]?.pid }]);
});
