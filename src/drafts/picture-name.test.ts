import { describe, expect, test } from "bun:test";
import { introduced, namedInText, nameOf } from "./picture-name.ts";

const DATA = `data:image/png;base64,${"A".repeat(200)}`;
const FILE = `data:image/png;name=pictures%2Fcat%201.png;base64,${"A".repeat(200)}`;

describe("a picture is named", () => {
  test("by its address, with the line where it stands", () => {
    const text = "a\n\nb ![x](https://a.example/1.png)\n";
    expect(namedInText(text, "https://a.example/1.png")).toEqual({
      picture: "https://a.example/1.png",
      line: 3,
    });
    expect(namedInText("a", "https://a.example/1.png")).toEqual({
      picture: "https://a.example/1.png",
    });
  });

  test("however rendering writes the address", () => {
    const written = encodeURI("https://a.example/猫.png");
    expect(namedInText("\n![x](https://a.example/猫.png)", written).line).toBe(2);
    expect(namedInText("x", "https://a.example/%zz")).toEqual({ picture: "https://a.example/%zz" });
  });

  test("by the file that it was", () => {
    expect(namedInText(`a\n![x](${FILE})`, FILE)).toEqual({
      picture: "pictures/cat 1.png",
      line: 2,
    });
    expect(nameOf(FILE.replace("%2F", "%zz"))).toBe("pictures%zzcat%201.png");
  });

  test("by its label, or by what is known of it", () => {
    const text = `a\n![x][sketch]\n\n[sketch]: ${DATA}\n`;
    expect(namedInText(text, DATA)).toEqual({ picture: "sketch", line: 2 });
    expect(nameOf(DATA)).toBe("a data: address (image/png)");
    expect(nameOf(`https://a.example/${"a".repeat(500)}`)).toHaveLength(200);
  });

  test("in front of what is said of it", () => {
    expect(introduced({ picture: "a.png", line: 3 }, "It is empty.")).toBe(
      "a.png (line 3): It is empty.",
    );
    expect(introduced({ picture: "a.png" }, "It is empty.")).toBe("a.png: It is empty.");
  });
});
