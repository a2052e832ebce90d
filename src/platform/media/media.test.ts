// Files that public accounts upload, over the real server.
import { expect, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { fileForm, servedPlatform } from "../../../test/support/houses/served-platform.ts";
import { animatedGif, bitmap, picture } from "../../../test/support/samples/pictures.ts";
import { ADD, expectRefusal, GOOD } from "../../../test/support/samples/platform-vectors.ts";

const IMAGE = "/cgi-bin/media/uploadimg";
const MATERIAL = "/cgi-bin/material/add_material";
const MP4 = Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0", "latin1");
const AMR = Buffer.from("#!AMR\nxyz", "latin1");

onEngines("uploads on $name", (engine) => {
  const served = perSuite((parts) => {
    const env = { FAREGATE_PLATFORM_MEDIA_BYTES_MAX: String(12 * 1024 * 1024) };
    return servedPlatform(parts, env, engine);
  });
  const mine = perSuite(() => served.account());

  const upload = (path: string, name: string, bytes: Uint8Array, own = mine) =>
    served.upload(path, own.token, name, bytes);
  const post = (name: string, body: unknown, own = mine) =>
    served.post(`/cgi-bin/material/${name}`, JSON.stringify(body), own);
  const fetchFrom = (path: string, init?: RequestInit) => fetch(`${served.url}${path}`, init);

  test("a picture for articles has an address that shows it, and nothing else", async () => {
    const png = await picture("png");
    const { body, text } = await upload(IMAGE, "图 片.PNG", png);
    const url = String(body.url);
    expect(text).toBe(`{"url":"${url}","errcode":0,"errmsg":"ok"}`);
    expect(url).toMatch(new RegExp(`^${served.url}/mmbiz_png/[\\w-]{43}/0$`));
    const shown = await fetch(url);
    expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect((await fetchFrom("/mmbiz_png/none/0")).status).toBe(404);
  });

  test("a permanent image is kept, listed, counted, read and deleted", async () => {
    const own = await served.account();
    const gif = animatedGif(8, 8);
    const { body } = await upload(`${MATERIAL}?type=image`, "dance.gif", gif, own);
    const mediaId = String(body.media_id);
    expect(mediaId).toMatch(/^[\w-]{64}$/);
    expect(body.url).toMatch(/\/mmbiz_gif\/[\w-]{43}\/0\?wx_fmt=gif$/);
    const list = await post("batchget_material", { type: "image", offset: 0, count: 1 }, own);
    expect(list.body).toEqual({
      total_count: 2,
      item_count: 1,
      item: [
        {
          media_id: mediaId,
          name: "dance.gif",
          update_time: expect.any(Number) as never,
          url: body.url as never,
        },
      ],
    });
    expect((await served.get("/cgi-bin/material/get_materialcount", own)).body).toEqual({
      voice_count: 0,
      video_count: 0,
      image_count: 2,
      news_count: 0,
    });
    const read = await fetchFrom(`/cgi-bin/material/get_material?access_token=${own.token}`, {
      method: "POST",
      body: `{"media_id":"${mediaId}"}`,
    });
    expect(read.headers.get("content-type")).toBe("image/gif");
    expect(Buffer.from(await read.arrayBuffer()).equals(gif)).toBe(true);
    // Another account sees nothing of it.
    expectRefusal(await post("get_material", { media_id: mediaId }), 40007);
    expectRefusal(await post("del_material", { media_id: mediaId }), 40007);
    expect((await post("del_material", { media_id: mediaId }, own)).body.errcode).toBe(0);
    expectRefusal(await post("get_material", { media_id: mediaId }, own), 40007);
    expect((await fetch(String(body.url))).status).toBe(404);
  });

  test("an image that a draft uses cannot be deleted", async () => {
    const own = await served.account();
    const add = await served.post(ADD, GOOD.replaceAll("THUMB", own.thumb), own);
    expectRefusal(await post("del_material", { media_id: own.thumb }, own), 48005);
    await served.post("/cgi-bin/draft/delete", JSON.stringify(add.body), own);
    expect((await post("del_material", { media_id: own.thumb }, own)).body.errcode).toBe(0);
    const again = await served.post(ADD, GOOD.replaceAll("THUMB", own.thumb), own);
    expectRefusal(again, 40007);
  });

  test("an image that a draft shows in its text cannot be deleted", async () => {
    const own = await served.account();
    const type = `${MATERIAL}?type=image`;
    const [shown, other] = [
      (await upload(type, "a.png", await picture("png"), own)).body,
      (await upload(type, "b.png", await picture("png"), own)).body,
    ];
    const content = `<p>text</p><img src=\\"${shown.url}\\">`;
    const body = GOOD.replaceAll("THUMB", own.thumb).replace("<section>", `${content}<section>`);
    const add = await served.post(ADD, body, own);
    expectRefusal(await post("del_material", { media_id: shown.media_id }, own), 48005);
    expect((await post("del_material", { media_id: other.media_id }, own)).body.errcode).toBe(0);
    await served.post("/cgi-bin/draft/delete", JSON.stringify(add.body), own);
    expect((await post("del_material", { media_id: shown.media_id }, own)).body.errcode).toBe(0);
  });

  test("a temporary file lives three days", async () => {
    const jpeg = await picture("jpeg");
    const { body } = await upload("/cgi-bin/media/upload?type=thumb", "a.jpeg", jpeg);
    expect(body).toEqual({
      type: "thumb",
      media_id: expect.any(String) as never,
      created_at: expect.any(Number) as never,
    });
    const path = `/cgi-bin/media/get?media_id=${body.media_id}&access_token=`;
    const read = await fetchFrom(path + mine.token);
    expect(Buffer.from(await read.arrayBuffer()).equals(jpeg)).toBe(true);
    expectRefusal(await post("get_material", { media_id: body.media_id }), 40007);
    await served.controlled("PUT", "clock", { offset_ms: 3 * 86_400_000 });
    const given = { appid: mine.appid, kind: "third-party", sets: [11] };
    const { access_token } = await served.controlled("POST", "tokens", given);
    expectRefusal(await served.ask(path + String(access_token)), 40007);
    await served.controlled("PUT", "clock", { offset_ms: 0 });
    expectRefusal(await served.get("/cgi-bin/media/get", mine), 41006);
  });

  test("voice and video are kept with what is said about them", async () => {
    const own = await served.account();
    const voice = await upload(`${MATERIAL}?type=voice`, "a.amr", AMR, own);
    expect(voice.body).toEqual({ media_id: expect.any(String) } as never);
    const { headers, body } = fileForm("a.mp4", MP4);
    const description =
      '--BOUNDARY\r\nContent-Disposition: form-data; name="description"\r\n\r\n' +
      '{"title":"片","introduction":"介"}\r\n';
    const whole = new Uint8Array(Buffer.concat([Buffer.from(description), body]));
    const path = `${MATERIAL}?type=video&access_token=${own.token}`;
    const video = await served.ask(path, { method: "POST", headers, body: whole });
    const read = await post("get_material", { media_id: video.body.media_id }, own);
    expect(read.body).toMatchObject({ title: "片", description: "介" });
    expect(Buffer.from(await (await fetch(String(read.body.down_url))).bytes()).equals(MP4)).toBe(
      true,
    );
    // What is said goes into the row of the file, beside all that its account may keep.
    const long = Buffer.from(description.replace("片", "片".repeat(6_000)));
    const tooLong = new Uint8Array(Buffer.concat([long, body]));
    expectRefusal(await served.ask(path, { method: "POST", headers, body: tooLong }), 47001);
    // Neither can be the cover of a draft.
    const draft = GOOD.replaceAll("THUMB", String(voice.body.media_id));
    expectRefusal(await served.post(ADD, draft, own), 40007);
  });

  test("a thumb is a JPG of up to 64 KB", async () => {
    const jpeg = Buffer.alloc(65_537);
    (await picture("jpeg")).copy(jpeg);
    const path = `${MATERIAL}?type=thumb`;
    expect((await upload(path, "a.jpg", jpeg.subarray(0, -1))).body.media_id).toBeDefined();
    expectRefusal(await upload(path, "a.jpg", jpeg), 40006, "invalid meida size");
    expectRefusal(await upload(path, "a.png", await picture("png")), 40005);
  });

  test("the end of the name says what a file is, and its bytes must agree", async () => {
    const path = `${MATERIAL}?type=image`;
    const png = await picture("png");
    for (const name of ["a", "a.", "png", "a.webp", "a.svg", "a.heic", "a.jpg", "a.gif"]) {
      expectRefusal(await upload(path, name, png), 40113);
    }
    expect((await upload(path, "a.bmp", bitmap(2, 2))).body.media_id).toBeDefined();
    expectRefusal(await upload(path, "a.mp4", MP4), 40005);
  });

  test("what is not a form with a file is 41005", async () => {
    const png = await picture("png");
    const send = (body: Uint8Array<ArrayBuffer>, type: string) =>
      served.ask(`${IMAGE}?access_token=${mine.token}`, {
        method: "POST",
        headers: { "content-type": type },
        body,
      });
    const { body } = fileForm("a.png", png);
    const form = "multipart/form-data; boundary=BOUNDARY";
    expect((await send(body, form)).body.errcode).toBe(0);
    expect((await send(body, 'multipart/form-data; boundary="BOUNDARY"')).body.errcode).toBe(0);
    expectRefusal(await upload(IMAGE, "a.png", new Uint8Array()), 41005, "media data missing");
    expectRefusal(await send(fileForm("a.png", png, "file").body, form), 41005);
    expectRefusal(await send(body.slice(0, -4), form), 41005);
    expectRefusal(await send(body, "multipart/form-data"), 41005);
    expectRefusal(await send(body, "multipart/form-data; boundary=OTHER"), 41005);
    expectRefusal(await send(body, "application/json"), 41005);
    expectRefusal(await send(new Uint8Array(), form), 41005);
    expectRefusal(await upload(MATERIAL, "a.png", png), 40004);
    expectRefusal(await upload(`${MATERIAL}?type=film`, "a.png", png), 40004);
  });

  test("an image has up to 10 MB, and an account up to its share", async () => {
    const own = await served.account();
    const path = `${MATERIAL}?type=image`;
    const jpeg = Buffer.alloc(10 * 1024 * 1024 + 1);
    (await picture("jpeg")).copy(jpeg);
    expectRefusal(await upload(path, "a.jpg", jpeg, own), 45001, "media size out of limit");
    expect((await upload(path, "a.jpg", jpeg.subarray(0, -1), own)).body.media_id).toBeDefined();
    expectRefusal(await upload(path, "b.jpg", jpeg.subarray(0, 3_000_000), own), 45001);
    const body = fileForm("a.jpg", Buffer.concat([jpeg, jpeg]));
    expectRefusal(await served.ask(`${path}&access_token=${own.token}`, body), 45001);
    expectRefusal(await served.ask(`${IMAGE}?access_token=${own.token}`, body), 40009);
  });
});
