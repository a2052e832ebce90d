import { expect, test } from "bun:test";
import { takenOut } from "./taken-out.ts";

test("what was taken out is found in its lines, however it is written", () => {
  const text = [
    "A line about iframe and <iframes>.",
    '<IFRAME src="https://x.example">',
    '<p onclick = "f()" style="color: red; position:fixed">',
    '<p style="background-position: 0; --position: 1">',
    `![](data:image/png;base64,${"onclick=".repeat(40)})`,
    '<a href="JavaScript:f()">',
  ].join("\n");
  expect(takenOut(text, ["<iframe>", "onclick", "position", "javascript:", "<none>"])).toEqual([
    { name: "<iframe>", lines: [2] },
    { name: "onclick", lines: [3] },
    { name: "position", lines: [3] },
    { name: "javascript:", lines: [6] },
    { name: "<none>", lines: [] },
  ]);
});

test("only the first lines of many are named, and a name is never read as a pattern", () => {
  const text = "<video>\n".repeat(50);
  expect(takenOut(text, ["<video>", "<.*>", "(a+)+"])).toEqual([
    { name: "<video>", lines: [1, 2, 3, 4, 5] },
    { name: "<.*>", lines: [] },
    { name: "(a+)+", lines: [] },
  ]);
});
