import { describe, expect, test } from "bun:test";
import { Parts, partsOfTest, perFile, perSuite, perTest } from "./house.ts";

const heard: string[] = [];

/** Says when it is opened and closed. */
class Part {
  readonly name: string;
  #uses = 0;

  constructor(name: string) {
    this.name = name;
    heard.push(`+${name}`);
  }

  use(): number {
    this.#uses += 1;
    return this.#uses;
  }

  stop(): void {
    heard.push(`-${this.name}`);
  }
}

/** What has been heard since it was last asked for. */
const news = () => heard.splice(0).join(" ");

describe("parts", () => {
  test("are closed in the reverse order, by the word that each has for it", async () => {
    const parts = new Parts();
    parts.keep({ remove: () => heard.push("-folder") });
    parts.keep({ close: async () => heard.push("-database") });
    parts.keep(new Part("server"));
    await parts.disposeAsync();
    expect(news()).toBe("+server -server -database -folder");
  });

  test("are all closed where one fails, which is told", async () => {
    const parts = new Parts();
    parts.keep(new Part("server"));
    parts.defer(() => {
      throw new Error("the books are wrong");
    });
    await expect(parts.disposeAsync()).rejects.toThrow("the books are wrong");
    expect(news()).toBe("+server -server");
  });

  test("that were opened before opening failed are closed", async () => {
    const half = (parts: Parts) => {
      parts.keep(new Part("vendor"));
      throw new Error("the server did not start");
    };
    expect(await perFile(half).catch(String)).toContain("did not start");
    expect(news()).toBe("+vendor -vendor");
  });
});

describe("a suite", () => {
  describe("with a house", () => {
    const ground = perSuite((parts) => parts.keep(new Part("ground")));
    const house = perSuite((parts) => parts.keep(new Part(`house on ${ground.name}`)));
    const tent = perTest((parts) => parts.keep(new Part("tent")));
    const guests = partsOfTest();

    test("has it open, and what is opened for one test", () => {
      expect(news()).toBe("+ground +house on ground +tent");
      expect([house.use(), tent.use()]).toEqual([1, 1]);
      guests.keep(new Part("guest"));
      expect({ ...tent }).toEqual({ name: "tent" });
    });

    test("keeps it for the next test, with what is opened anew", () => {
      expect(news()).toBe("+guest -guest -tent +tent");
      expect([house.use(), tent.use()]).toEqual([2, 1]);
    });
  });

  test("has closed it afterwards, what was opened last first", () => {
    expect(news()).toBe("-tent -house on ground -ground");
  });
});

describe("what a suite opens", () => {
  let house: Part;

  test("cannot be used by another one", () => {
    expect(() => house.use()).toThrow("only while the tests of its suite run");
  });

  describe("in its turn", () => {
    house = perSuite((parts) => parts.keep(new Part("house")));

    test("is there", () => {
      expect(house.use()).toBe(1);
    });
  });
});
