// A disk without room: whoever starts or types a command there is told that, and not that something is wrong.
import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diskCheck } from "../../src/cli/doctor/disk-check.ts";
import { faregate } from "../cli/commands.ts";
import { fillDisk, smallDisk } from "../outages/small-disk.ts";
import { TestServer } from "../server.ts";
import { partsOfTest } from "../support/houses/house.ts";

const parts = partsOfTest();
const ROOM_KILOBYTES = 32 * 1024;

const settingsOn = (disk: string) => ({ FAREGATE_DATA: disk, FAREGATE_PORT: "0" });
const toldOf = (disk: string) => ({
  code: 2,
  stdout: "",
  stderr: expect.stringMatching(
    new RegExp(`^faregate: the disk of ${disk} is full[^\\n]*FAREGATE_DATA`),
  ),
});

test.each([8, 64, 300, 450, 1300])(
  "a first start with %d KB names the folder and its setting",
  async (kilobytes) => {
    const disk = smallDisk(parts, kilobytes);
    expect(await faregate(["serve"], settingsOn(disk))).toMatchObject(toldOf(disk));
  },
);

describe("an installation whose disk is full by now", () => {
  const full = async () => {
    const disk = smallDisk(parts, ROOM_KILOBYTES);
    const settings = settingsOn(disk);
    expect(await (await TestServer.start(settings)).stop()).toBe(0);
    return { disk, settings, filler: fillDisk(disk) };
  };

  test.each(["serve", "topup 5", "key list", "verify"])("names both to %s", async (typed) => {
    const { disk, settings } = await full();
    expect(await faregate(typed.split(" "), settings)).toMatchObject(toldOf(disk));
  });

  test("is told by the doctor to make room, and its books are right when there is", async () => {
    const { settings, filler } = await full();
    const { stdout } = await faregate(["doctor"], settings);
    expect(stdout).toMatch(/problem +database +the disk of /);
    expect(stdout).not.toContain("Give it to the user");
    rmSync(filler);
    expect(await faregate(["verify"], settings)).toMatchObject({ code: 0, stderr: "" });
  });
});

test("a command beside a server whose disk is full is told the same", async () => {
  const disk = smallDisk(parts, ROOM_KILOBYTES);
  const settings = settingsOn(disk);
  const server = await TestServer.start(settings);
  parts.adopt(server, (running) => running.kill());
  fillDisk(disk);
  expect(await faregate(["key", "create", "--name", "a"], settings)).toMatchObject(toldOf(disk));
});

test("the doctor sees a disk that takes no more files, whatever room it has", () => {
  const disk = smallDisk(parts, 2 * 1024 * 1024, "nr_inodes=8");
  for (let i = 0; i < 7; i++) writeFileSync(join(disk, `file${i}`), "");
  const problems = diskCheck(disk).filter(({ state }) => state === "problem");
  expect(problems.map(({ code }) => code)).toEqual(["diskNoFile"]);
});
