import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  animatedGif,
  animatedPng,
  animatedWebp,
  bitmap,
  picture,
  printJpeg,
} from "../../../test/support/samples/pictures.ts";
import { type Images, openImages } from "./images.ts";
import { PictureError } from "./picture.ts";

const LIMITS = {
  image_bytes_max: 200_000,
  image_side_px_max: 10_000,
  image_pixels_max: 50_000_000,
  image_fetch_ms: 20_000,
  image_redirects_max: 3,
  image_draw_ms: 60_000,
  image_draw_idle_ms: 60_000,
};

const JPEG = await picture("jpeg");
const WEBP = await picture("webp");

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/photo.jpg") return new Response(new Uint8Array(JPEG));
    // A page that says it is a picture, and a picture that says it is another.
    if (pathname === "/page.jpg") {
      return new Response("<html>please sign in</html>", {
        headers: { "content-type": "image/jpeg" },
      });
    }
    if (pathname === "/lie.png") {
      return new Response(new Uint8Array(WEBP), { headers: { "content-type": "image/png" } });
    }
    if (pathname === "/empty.png") return new Response("");
    if (pathname === "/large.png") return new Response(new Uint8Array(200_001));
    if (pathname === "/away.png") return Response.redirect("http://169.254.169.254/x.png", 302);
    return new Response("no", { status: 404 });
  },
});
afterAll(() => server.stop(true));

const ORIGIN = `http://127.0.0.1:${server.port}`;
const imagesFor = openImages(LIMITS, {
  allowPrivate: false,
  isExempt: ({ origin }) => origin === ORIGIN,
});
const images = imagesFor("acc_1");

async function refusal(work: Promise<unknown>): Promise<PictureError> {
  const thrown = await work.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(thrown instanceof PictureError)) throw new Error(`not refused: ${thrown}`);
  return thrown;
}

describe("a picture at an address", () => {
  test("is fetched and named after it", async () => {
    const found = await images.load({ url: `${ORIGIN}/photo.jpg?x=1` });
    expect([found.name, found.kind]).toEqual(["photo.jpg", "jpeg"]);
  });

  test("is taken for what its bytes are", async () => {
    const found = await images.load({ url: `${ORIGIN}/lie.png` });
    expect([found.name, found.contentType]).toEqual(["lie.webp", "image/webp"]);
    const failure = await refusal(images.load({ url: `${ORIGIN}/page.jpg` }));
    expect(failure).toMatchObject({ code: "image_not_an_image" });
  });

  test.each([
    ["/empty.png", "image_empty"],
    ["/large.png", "image_too_large"],
    ["/missing.png", "image_unreachable"],
    ["/away.png", "image_private_address"],
  ])("%s is refused as %s", async (path, code) => {
    expect((await refusal(images.load({ url: ORIGIN + path }))).code).toBe(code as "image_empty");
  });

  test.each([
    "http://127.0.0.1:1/a.png",
    "http://169.254.169.254/a.png",
    "http://[::ffff:10.0.0.1]/a.png",
    `http://localhost:${server.port}/photo.jpg`,
  ])("inside is refused: %s", async (url) => {
    const failure = await refusal(images.load({ url }));
    expect(failure.code).toBe("image_private_address");
    expect(failure.fix).toContain("operator");
  });

  test.each(["file:///etc/passwd", "ftp://a/b.png", "a.png", ""])("is not %p", async (url) => {
    expect((await refusal(images.load({ url }))).code).toBe("image_address");
  });
});

describe("a picture that is written out", () => {
  const encoded = JPEG.toString("base64");

  test.each([
    `data:image/jpeg;base64,${encoded}`,
    `data:image/png;base64,${encoded}`,
    `data:;base64,${encodeURIComponent(encoded)}`,
    `DATA:image/jpeg;name=a.jpg;base64,${encoded.replace(/.{76}/g, "$&\n")}`,
  ])("is read: %.30s", async (data) => {
    const found = await images.load({ data });
    expect([found.name, found.bytes.length]).toEqual(["image.jpg", JPEG.length]);
  });

  test.each([
    "data:image/svg+xml,%3Csvg%3E",
    "data:image/jpeg;base64",
    "data:image/jpeg;base64,<>!",
    "data:image/jpeg;base64,%",
    "https://example.com/a.png",
    "",
  ])("is refused as malformed: %p", async (data) => {
    expect(await refusal(images.load({ data }))).toMatchObject({
      code: "image_address",
    });
  });

  test("is refused when it is empty or too large", async () => {
    const empty = await refusal(images.load({ data: "data:image/png;base64," }));
    expect(empty.code).toBe("image_empty");
    const large = `data:image/png;base64,${Buffer.alloc(200_001).toString("base64")}`;
    expect((await refusal(images.load({ data: large }))).code).toBe("image_too_large");
  });
});

describe("bytes that were changed anywhere", async () => {
  const originals = [
    JPEG,
    WEBP,
    await picture("png"),
    await picture("avif"),
    animatedGif(40, 30),
    animatedWebp(await picture("webp", 40, 30), 40, 30),
    await animatedPng(40, 30),
    bitmap(40, 30, { depth: 8 }),
    printJpeg([0, 255, 255, 0]),
  ] as const;

  test("make a picture that can be uploaded, or a refusal, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...originals),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), {
          minLength: 1,
          maxLength: 6,
        }),
        async (original, changes) => {
          const bytes = Buffer.from(original);
          for (const [place, value] of changes) bytes[Math.floor(place * bytes.length)] = value;
          try {
            const file = await images.forBody(await images.load({ bytes, name: "a.jpg" }));
            expect(file.name).toMatch(/^a\.(?:jpg|png|gif)$/);
          } catch (thrown) {
            if (!(thrown instanceof PictureError)) throw thrown;
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

test("a refusal leaves the next picture alone", async () => {
  const [broken, whole] = await Promise.allSettled([
    images.load({ bytes: JPEG.subarray(0, 100) }),
    images.load({ bytes: JPEG, name: "照片.jpeg" }),
  ]);
  expect(broken.status).toBe("rejected");
  expect(whole).toMatchObject({ status: "fulfilled", value: { name: "image.jpg" } });
});

describe("an account with many pictures in line", () => {
  test.each([
    ["loaded", (shop: Images) => shop.load({ bytes: JPEG })],
    ["drawn", (shop: Images) => shop.titleCard({ title: "Cranes", author: "" })],
  ])("lets one of another be %s after the one that is at work", async (_how, work) => {
    const done: string[] = [];
    const mine = Array.from({ length: 10 }, (_, at) =>
      work(imagesFor("acc_1")).then(() => done.push(`mine ${at}`)),
    );
    const theirs = work(imagesFor("acc_2")).then(() => done.push("theirs"));
    await Promise.all([...mine, theirs]);
    expect(done).toHaveLength(11);
    expect(done.slice(0, 3)).toEqual(["mine 0", "theirs", "mine 1"]);
  });

  test("does not keep a still one waiting for its animations", async () => {
    const moving = await images.load({ bytes: await animatedPng(60, 40) });
    const still = await images.load({ bytes: JPEG });
    const done: string[] = [];
    const animations = [1, 2].map(() => images.forBody(moving).then(() => done.push("moving")));
    await images.forBody(still).then(() => done.push("still"));
    expect(done).toEqual(["still"]);
    await Promise.all(animations);
  });
});
