import { Fault } from "./faults.ts";
import { codingsOf, inflate } from "./inflate.ts";

function tooLarge(bytesMax: number): Fault {
  return new Fault("request_too_large", `The body is over the limit of ${bytesMax} bytes.`);
}

/** The body of a request, read and unpacked no further than its limit, whatever its length claims to be. */
export async function readBounded(request: Request, bytesMax: number): Promise<Uint8Array> {
  const codings = codingsOf(request.headers.get("content-encoding"));
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return inflate(Buffer.concat(chunks), codings, {
    bytesMax,
    tooLarge: () => tooLarge(bytesMax),
    take: () => {},
    lend: () => ({ release: () => {} }),
  });
}
