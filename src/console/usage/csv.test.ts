import { describe, expect, test } from "bun:test";
import { csvDownload, csvResponse, csvRow } from "./csv.ts";

describe("csvRow", () => {
  test("ends with both line characters and quotes only what needs it", () => {
    expect(csvRow(["a", 1, "1.5", "two words"])).toBe("a,1,1.5,two words\r\n");
    expect(csvRow(["a,b", 'say "hi"', "x\ny", " edge"])).toBe(
      '"a,b","say ""hi""","x\ny"," edge"\r\n',
    );
  });

  test.each([
    "=1+1",
    "+cmd",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "  =1",
    "\n@x",
    "＝1+1",
    "＠SUM(A1)",
  ])("keeps a spreadsheet from calculating %j", (text) => {
    const [cell = ""] = csvRow([text, 1]).split(",1\r\n");
    expect(cell.replace(/^"/, "").startsWith("'")).toBe(true);
  });

  test("leaves amounts alone, also those below zero", () => {
    expect(csvRow(["-0.5", -3, "12.0"])).toBe("-0.5,-3,12.0\r\n");
  });
});

describe("csvResponse", () => {
  test("is a file to be saved, whole, in pieces that are made as they are taken", async () => {
    let made = 0;
    function* rows() {
      for (let i = 0; i < 10_000; i++) {
        made += 1;
        yield csvRow([`row ${i}`, i]);
      }
    }
    const response = csvResponse("usage.csv", rows());
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="usage.csv"');
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = await reader.read();
    expect(made).toBeLessThan(5_000);
    let text = new TextDecoder().decode(first.value);
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += new TextDecoder().decode(piece.value);
    }
    expect(text.split("\r\n")).toHaveLength(10_001);
    expect(text.startsWith("row 0,0\r\n")).toBe(true);
  });
});

describe("csvDownload", () => {
  test("reads no further than somebody takes, and ends with them", async () => {
    let read = 0;
    let over = false;
    async function* pieces() {
      try {
        for (;;) yield csvRow([`row ${++read}`]);
      } finally {
        over = true;
      }
    }
    const response = await csvDownload("x.csv", pieces());
    expect([read, response.headers.get("content-type")]).toEqual([1, "text/csv; charset=utf-8"]);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.read();
    expect([read, over]).toEqual([2, false]);
    await reader.cancel();
    expect([read, over]).toEqual([2, true]);
  });

  test("fails before it answers where there is nothing to read from", async () => {
    // biome-ignore lint/correctness/useYield: it fails before.
    async function* pieces(): AsyncGenerator<string> {
      throw new Error("not there");
    }
    expect(csvDownload("x.csv", pieces())).rejects.toThrow("not there");
  });

  test("breaks off where reading fails on the way, so that nobody takes a part for the whole", async () => {
    async function* pieces() {
      yield "a\r\n";
      throw new Error("gone");
    }
    const response = await csvDownload("x.csv", pieces());
    expect(response.text()).rejects.toThrow("gone");
  });
});
