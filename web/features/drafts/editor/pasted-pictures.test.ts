import { expect, test } from "bun:test";
import fc from "fast-check";
import { joinPictures, pictureName, splitPictures } from "./pasted-pictures.ts";

const PIXEL = "data:image/png;base64,AAAA";

test("definitions at the end are pictures, and the text is shown without them", () => {
  const source = `# A\n\n![cat][picture-1]\n\n[picture-1]: ${PIXEL}`;
  const pictures = [{ name: "picture-1", data: PIXEL }];
  expect(splitPictures(source)).toEqual({ text: "# A\n\n![cat][picture-1]", pictures });
});

test("a definition before other text stays where it is", () => {
  const source = `[picture-1]: ${PIXEL}\n\nMore`;
  expect(splitPictures(source)).toEqual({ text: source, pictures: [] });
});

test("what is joined is split into the same again, whatever the text ends with", () => {
  const text = fc.string().filter((one) => splitPictures(one).pictures.length === 0);
  const pictures = fc
    .nat(4)
    .map((count) =>
      Array.from({ length: count }, (_, at) => ({ name: `picture-${at + 1}`, data: PIXEL })),
    );
  fc.assert(
    fc.property(fc.record({ text, pictures }), (whole) => {
      expect(splitPictures(joinPictures(whole))).toEqual(whole);
    }),
  );
});

test("a new picture gets a name that none has", () => {
  expect(pictureName([])).toBe("picture-1");
  expect(pictureName([{ name: "picture-7", data: PIXEL }])).toBe("picture-8");
});
