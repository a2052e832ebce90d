import { describe, expect, test } from "bun:test";
import { csvResponse, csvRow } from "./csv.ts";

describe("csvRow", () => {
  test("ends with both line characters and quotes only what needs it", () => {
    expect(csvRow(["a", 1, "1.5", "two words"])).toBe("a,1,1.5,two words\r\n");
    expect(csvRow(["a,b", 'say "hi"', "x\ny", " edge"])).toBe(
      '"a,b","say ""hi""","x\ny"," edge"\r\n',
    );
  });

  test.each(["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "  =1", "\n@x"])(
    "keeps a spreadsheet from calculating %j",
    (text) => {
      const [cell = ""] = csvRow([text, 1]).split(",1\r\n");
      expect(cell.replace(/^"/, "").startsWith("'")).toBe(true);
    },
  );

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
