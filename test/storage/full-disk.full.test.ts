// A backup for which the disk has no room: nothing of it is left, and what is said names the place.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { faregate } from "../cli/commands.ts";
import { smallDisk } from "../outages/small-disk.ts";
import { TestServer } from "../server.ts";
import { Parts } from "../support/houses/house.ts";

describe("on a disk without room", () => {
  test.each([100, 400, 600, 800])(
    "of %p KB a backup leaves nothing, or is whole",
    async (kilobytes) => {
      await using parts = new Parts();
      const data = join(parts.folder(), "data");
      await (await TestServer.startHere({ FAREGATE_DATA: data })).stop();
      const disk = smallDisk(parts, kilobytes);
      const file = join(disk, "b.tar");
      const { code, stderr } = await faregate(["backup", file], { FAREGATE_DATA: data });
      if (code === 0) expect(readdirSync(disk)).toEqual(["b.tar"]);
      else {
        expect(stderr).toContain(`the disk of ${disk} is full`);
        expect({ code, left: readdirSync(disk) }).toEqual({ code: 2, left: [] });
      }
    },
  );

  test("a restore leaves nothing either", async () => {
    await using parts = new Parts();
    const data = join(parts.folder(), "data");
    await (await TestServer.startHere({ FAREGATE_DATA: data })).stop();
    const file = join(parts.folder(), "b.tar");
    expect((await faregate(["backup", file], { FAREGATE_DATA: data })).code).toBe(0);
    const folder = join(smallDisk(parts, 300), "data");
    const { code, stderr } = await faregate(["restore", file], { FAREGATE_DATA: folder });
    expect(stderr).toContain(`the disk of ${folder} is full;`);
    const left = readdirSync(folder).filter((name) => !name.endsWith(".lock"));
    expect({ code, left }).toEqual({ code: 2, left: [] });
  });
});
