import { expect, test } from "bun:test";
import { faultOf } from "../../test/support/errors.ts";
import {
  article,
  DraftHouse,
  draftStores,
  plainRenderer,
} from "../../test/support/houses/draft-house.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { compileArticles } from "./article/compile.ts";
import type { PictureWork } from "./article/workshop.ts";
import { PLAIN } from "./images/formats/anatomy.ts";
import type { Picture } from "./images/picture.ts";
import { preparePictures } from "./pictures.ts";

const drafts = perSuite(draftStores);
const PICTURE_BYTES = 40;

/** Pictures of so many bytes each, and a count of how many were loaded and drawn. */
function countingImages() {
  const count = { loaded: 0, drawn: 0 };
  const bytes = new Uint8Array(PICTURE_BYTES);
  const picture: Picture = {
    ...{
      bytes,
      anatomy: { ...PLAIN, complete: true, cleaned: bytes },
      name: "p.jpg",
      contentType: "image/jpeg",
    },
    ...{ sha256: "", notes: [], width: 900, height: 383, kind: "jpeg" },
  };
  const load = async () => {
    count.loaded += 1;
    return picture;
  };
  const titleCard = async () => {
    count.drawn += 1;
    return picture;
  };
  const fit = async () => picture;
  const images: PictureWork = { load, forBody: fit, forMaterial: fit, titleCard };
  return { count, images };
}

function withPictures(title: string, pictures: number) {
  const marks = Array.from(
    { length: pictures },
    (_, at) => `![a](https://p.test/${title}${at}.jpg)`,
  );
  return article(title, { source: { format: "markdown", text: marks.join(" ") } });
}

test("beyond what the pictures of a push may come to, no more are loaded", async () => {
  const docs = [withPictures("one", 20), withPictures("two", 20)];
  const articles = await compileArticles(plainRenderer, docs, { author: null, theme: null });
  const prepared = async (bytesMax: number) => {
    const { count, images } = countingImages();
    const { problems } = await preparePictures(images, articles, () => false, bytesMax);
    return { ...count, problems };
  };
  const all = 42 * PICTURE_BYTES;
  expect(await prepared(all)).toEqual({ loaded: 40, drawn: 2, problems: [] });
  const over = await prepared(5 * PICTURE_BYTES);
  expect(over).toMatchObject({ loaded: 8, drawn: 0, problems: [{ article: 0 }] });
  expect(over.problems).toHaveLength(1);
  expect(over.problems[0]).toMatchObject({
    ...{ severity: "error", code: "images_too_large", field: "source.text" },
    ...{ limit: 5 * PICTURE_BYTES, found: 6 * PICTURE_BYTES, picture: "https://p.test/one5.jpg" },
  });
  expect((await prepared(all - 1)).problems).toMatchObject([{ article: 1, field: "cover" }]);
});

test("a push of too many pictures is refused before anything is sent", async () => {
  const house = new DraftHouse(drafts.store);
  const draftService = house.start({ picturesBytesMax: 100 });
  const push = async (pictures: number) => {
    const form = { articles: [withPictures("t", pictures)], by: "me" };
    return draftService.push(
      house.accountId,
      (await draftService.create(house.accountId, form)).id,
    );
  };
  const fault = await faultOf(push(9));
  expect(fault).toMatchObject({ fault: "preflight_failed", param: "articles[0].source.text" });
  expect(house.stub.calls).toEqual([]);
  expect((await push(1)).draft.status).toBe("in_box");
});
