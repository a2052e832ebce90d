import { Fault } from "./faults.ts";

function tooLarge(bytesMax: number): Fault {
  return new Fault("request_too_large", `The body is over the limit of ${bytesMax} bytes.`);
}

/** The body of a request, read no further than its limit, whatever its length claims to be. */
export async function readBounded(request: Request, bytesMax: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
