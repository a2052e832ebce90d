type CsvCell = string | number;

/**
 * What a spreadsheet would take for a formula, however it was meant: a name that begins like one is
 * shown as text by an apostrophe in front, which spreadsheets do not show. Those of East Asia take the
 * wide signs as well.
 */
function defused(text: string): string {
  return /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text;
}

/** A field of RFC 4180. Numbers and amounts of ours stay as they are, so that they can be summed. */
function field(cell: CsvCell): string {
  if (typeof cell === "number" || /^-?\d+(?:\.\d+)?$/.test(cell)) return String(cell);
  const text = defused(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(field).join(",")}\r\n`;
}

/** Rows are written together until they are worth a chunk of their own. */
const CHUNK_CHARS = 16_384;

function* chunks(rows: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const row of rows) {
    chunk += row;
    if (chunk.length < CHUNK_CHARS) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}

/** The name is of ours and needs no escaping. */
function fileResponse(fileName: string, body: ReadableStream<Uint8Array>): Response {
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
}

/** A file to be saved, written as fast as it is taken. */
export function csvResponse(fileName: string, rows: Iterable<string>): Response {
  const pieces = chunks(rows);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return fileResponse(fileName, body);
}

/**
 * The same of what is read piece by piece: the next is read when the one before was taken, and no more
 * once nobody takes it. The first is read before there is an answer, so that what fails is told by it.
 */
export async function csvDownload(
  fileName: string,
  pieces: AsyncGenerator<string>,
): Promise<Response> {
  const encoder = new TextEncoder();
  let first: IteratorResult<string> | undefined = await pieces.next();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await pieces.next());
        first = undefined;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return fileResponse(fileName, body);
}
