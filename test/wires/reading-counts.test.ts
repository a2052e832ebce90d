import { describe, expect, test } from "bun:test";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { RESPONSES } from "../support/samples/wires.ts";

const { server } = await perFile((parts) => serve(parts));

async function loop(times: number, send: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) {
    const response = await send();
    await response.body?.cancel();
    statuses.push(response.status);
  }
  return statuses;
}

describe("reading counts against the requests per minute of a key, also when it is refused", () => {
  const READS = [
    "/responses/resp_nobody",
    "/responses/resp_nobody/input_items",
    "/responses/resp_nobody/input_items?limit=0",
    "/generation?id=req_nobody",
    "/generation",
    "/credits",
    "/dashboard/billing/usage?start_date=never",
  ];

  test.each(READS)("GET %s", async (path) => {
    const { key } = await server.account("1", "--rpm", "3");
    const statuses = await loop(5, () => server.fetch(path, key));
    expect(statuses.slice(3)).toEqual([429, 429]);
    expect(statuses.slice(0, 3)).not.toContain(429);
    await expectError(await server.post("/responses", key, RESPONSES.request("Say one")), {
      status: 429,
      type: "rate_limit_error",
      code: "rate_limit_exceeded",
    });
  });

  test("DELETE /responses/resp_nobody", async () => {
    const { key } = await server.account("1", "--rpm", "3");
    const remove = () => server.fetch("/responses/resp_nobody", key, { method: "DELETE" });
    expect(await loop(5, remove)).toEqual([404, 404, 404, 429, 429]);
  });

  test("but a key may always be looked up", async () => {
    const { key } = await server.account("1", "--rpm", "1");
    expect(await loop(3, () => server.fetch("/key", key))).toEqual([200, 200, 200]);
    expect(await loop(2, () => server.fetch("/generation?id=req_nobody", key))).toEqual([404, 429]);
    expect(await loop(1, () => server.fetch("/key", key))).toEqual([200]);
  });
});
