/** What a server says of its present moment; it must serve its metrics to everybody. */
export const METRICS_PUBLIC = { FAREGATE_METRICS_PUBLIC: "on" };

type Gauge =
  | "requests_waiting"
  | "answers_unattended"
  | "draft_calls_waiting"
  | "storage_queue"
  | "storage_up";

export async function gauge(url: string, name: Gauge): Promise<number> {
  const text = await (await fetch(new URL("/metrics", url))).text();
  const value = new RegExp(`^faregate_${name} (\\d+)$`, "m").exec(text)?.[1];
  if (value === undefined) throw new Error(`there is no ${name} in ${text.slice(0, 200)}`);
  return Number(value);
}
