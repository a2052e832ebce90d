import { describe, expect, test } from "bun:test";
import { readStyle } from "./css.ts";

describe("a style attribute", () => {
  test("keeps what articles are designed with", () => {
    expect(
      readStyle(
        "color: #333; margin:0 auto!important;font-family:\"Songti SC\", 'Noto Serif', serif;" +
          "background-image: linear-gradient(90deg, rgba(1,2,3,.5) 0%, #fff 100%); width: calc(100% - 4px)",
      ),
    ).toEqual({
      color: "#333",
      margin: "0 auto!important",
      "font-family": "'Songti SC', 'Noto Serif', serif",
      "background-image": "linear-gradient(90deg, rgba(1,2,3,.5) 0%, #fff 100%)",
      width: "calc(100% - 4px)",
    });
  });

  test.each([
    "position:fixed",
    "z-index:9",
    "background:url(https://evil.example/x.png)",
    "background:url(javascript:alert(1))",
    "width:expression(alert(1))",
    "color:var(--x)",
    "color:\\72 ed",
    "-moz-binding:url(x)",
    "behavior:url(x)",
    "color:red}body{color:blue",
    "content:'x'",
    "color:'</style><script>'",
    "--x:1",
    "color",
    ":red",
    "color:rgb(1,2",
    "color:)",
  ])("refuses %s", (text) => {
    expect(readStyle(text)).toEqual({});
  });

  test("is divided only by semicolons that divide", () => {
    expect(
      readStyle("color:red;/* ; */ font-family:'a;b';background:url(x;color:blue);top:1px"),
    ).toEqual({ color: "red", "font-family": "'a;b'" });
  });

  test("loses nothing behind a picture that is written out in quotes and brackets", () => {
    const picture = `url("data:image/svg+xml,<svg fill='rgb(0,0,0)' transform='translate(1 2)'/>")`;
    const left: string[] = [];
    const style = readStyle(`background:${picture};color:red;margin:0`, (name) => left.push(name));
    expect(style).toEqual({ color: "red", margin: "0" });
    expect(left).toEqual(["background"]);
  });

  test("may show the pictures that the platform keeps", () => {
    const style = "background-image:url('https://mmbiz.qpic.cn/mmbiz_png/a/0?wx_fmt=png')";
    expect(readStyle(style)["background-image"]).toContain("mmbiz.qpic.cn");
  });

  test("takes the last of two declarations", () => {
    expect(readStyle("color:red;color:blue")).toEqual({ color: "blue" });
  });
});
