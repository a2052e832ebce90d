// A backup for which the disk has no room: nothing of it is left, and what is said names the place.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { faregate } from "../cli/commands.ts";
import { TestServer } from "../server.ts";
import { Parts } from "../support/houses/house.ts";

/** A file system of so many kilobytes; undefined where this process may not make one. */
function smallDisk(parts: Parts, kilobytes: number): string | undefined {
  const place = join(parts.folder(), "disk");
  mkdirSync(place);
  const options = ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", place];
  if (!Bun.which("mount")) return undefined;
  if (!Bun.spawnSync(["mount", ...options], { stderr: "ignore" }).success) return undefined;
  parts.defer(() => void Bun.spawnSync(["umount", place]));
  return place;
}

const probe = new Parts();
const canMount = smallDisk(probe, 64) !== undefined;
await probe.disposeAsync();
if (!canMount) console.log("  full disks are not tried: mount (as root) makes no tmpfs here");

describe.skipIf(!canMount)("on a disk without room", () => {
  test.each([100, 400, 600, 800])(
    "of %p KB a backup leaves nothing, or is whole",
    async (kilobytes) => {
      await using parts = new Parts();
      const data = join(parts.folder(), "data");
      await (await TestServer.startHere({ FAREGATE_DATA: data })).stop();
      const disk = smallDisk(parts, kilobytes) as string;
      const file = join(disk, "b.tar");
      const { code, stderr } = await faregate(["backup", file], { FAREGATE_DATA: data });
      if (code === 0) expect(readdirSync(disk)).toEqual(["b.tar"]);
      else {
        expect(stderr).toContain(`no room left on the disk of ${disk}`);
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
    const folder = join(smallDisk(parts, 300) as string, "data");
    const { code, stderr } = await faregate(["restore", file], { FAREGATE_DATA: folder });
    expect(stderr).toContain("no room left on the disk");
    const left = readdirSync(folder).filter((name) => !name.endsWith(".lock"));
    expect({ code, left }).toEqual({ code: 2, left: [] });
  });
});
