import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { version } from "../../../package.json" with { type: "json" };
import type { Config } from "../../config/config.ts";
import { draftMcpServer } from "../../drafts/api/mcp/server.ts";
import { draftTools } from "../../drafts/api/mcp/tools.ts";
import { systemClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import { TaskGroup } from "../../lib/threads/task-group.ts";
import { createLog } from "../../telemetry/log.ts";
import { UsageError } from "../terminal/arguments.ts";
import { readArticleFile } from "./article-file.ts";
import { draftClient } from "./draft-client.ts";
import { type Environment, findServer } from "./draft-server.ts";

/** The client has gone, or tells us to. */
function untilClosed(transport: StdioServerTransport): Promise<void> {
  return new Promise((resolve) => {
    transport.onclose = resolve;
    process.stdin.once("end", resolve);
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
}

/** Drafts for an agent on this machine, over standard input and output. */
export async function mcp(config: Config, env: Environment): Promise<number> {
  const log = createLog("error");
  const server = await findServer(config, env);
  const tasks = new TaskGroup((thrown) => log.error("task_failed", { thrown }));
  const { limits } = config;
  const tools = draftTools({
    operations: draftClient(async () => server),
    clock: systemClock,
    async readFile(path) {
      try {
        return { ...(await readArticleFile(path, { limits, allowOutside: false })) };
      } catch (thrown) {
        if (!(thrown instanceof UsageError)) throw thrown;
        throw new Fault("invalid_value", thrown.message, { param: "file", cause: thrown });
      }
    },
  });
  const onBug = (thrown: unknown) => log.error("mcp_tool_broke", { thrown });
  const spoken = draftMcpServer({ tools, version, track: (work) => tasks.run(work), onBug });
  const transport = new StdioServerTransport();
  await spoken.connect(transport);
  await untilClosed(transport);
  await tasks.settled();
  await server.close();
  return 0;
}
