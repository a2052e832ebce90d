import { expect, test } from "bun:test";
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

function house(take: () => Promise<() => void>, script = SCRIPT) {
  const { limits } = readConfig({
    FAREGATE_RESTART_REST_MS: "1",
    FAREGATE_RESTART_REST_MS_MAX: "2",
  });
  const kept = keptLog();
  const children: Bun.Subprocess[] = [];
  const ports: number[] = [];
  const refusals: Error[] = [];
  const spawn = ({ port, hear }: Launch) => {
    ports.push(port);
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    const child = Bun.spawn([process.execPath, "-e", script], {
      stdio: ["ignore", "inherit", "inherit"],
      ipc: hear,
    });
    children.push(child);
    return child;
  };
  const worker = new Worker({ index: 1, limits, log: kept.log, office: { take }, spawn });
  parts.defer(async () => {
    await worker.stop();
  });
  return { worker, children, ports, refusals, logged: kept.logged };
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
