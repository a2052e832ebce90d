import { expect, test } from "bun:test";
import { OTHER_MODELS, UnknownModels } from "./unknown-models.ts";

const DAY_MS = 86_400_000;
const START_MS = 20_775 * DAY_MS;

const names = (models: UnknownModels, asked: readonly string[], keyId = "key_1") =>
  asked.map((model) => models.nameFor({ keyId, model, createdAtMs: START_MS }));

test("keep their names up to the maximum, and those that follow have one for all", () => {
  const models = new UnknownModels(2);
  expect(names(models, ["a", "b", "c", "d"])).toEqual(["a", "b", OTHER_MODELS, OTHER_MODELS]);
});

test("keep a name that is known of the day", () => {
  const models = new UnknownModels(2);
  expect(names(models, ["a", "b", "c", "a"])).toEqual(["a", "b", OTHER_MODELS, "a"]);
});

test("of one key take nothing from another", () => {
  const models = new UnknownModels(1);
  names(models, ["a", "b"]);
  expect(names(models, ["b"], "key_2")).toEqual(["b"]);
});

test("are forgotten with the day", () => {
  const models = new UnknownModels(1);
  names(models, ["a"]);
  const tomorrow = { keyId: "key_1", createdAtMs: START_MS + DAY_MS };
  expect(models.nameFor({ ...tomorrow, model: "b" })).toBe("b");
  expect(models.nameFor({ ...tomorrow, model: "a" })).toBe(OTHER_MODELS);
});

test("are not forgotten for what began the day before and is refused behind it", () => {
  const models = new UnknownModels(1);
  const asked = [DAY_MS, DAY_MS - 1, DAY_MS, DAY_MS - 1].map((afterMs, nth) =>
    models.nameFor({ keyId: "key_1", model: `m${nth}`, createdAtMs: START_MS + afterMs }),
  );
  expect(asked).toEqual(["m0", OTHER_MODELS, OTHER_MODELS, OTHER_MODELS]);
});

test("are forgotten with the days of a clock that was wrong, and is set back", () => {
  const models = new UnknownModels(1);
  const wrong = { keyId: "key_1", createdAtMs: START_MS + 1_000 * DAY_MS };
  expect(models.nameFor({ ...wrong, model: "a" })).toBe("a");
  expect(names(models, ["b", "c"])).toEqual(["b", OTHER_MODELS]);
});
