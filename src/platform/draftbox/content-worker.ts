import { workInThread } from "../../lib/thread.ts";
import { type ContentTask, storeContent } from "./content-work.ts";

workInThread(async (task: ContentTask) => storeContent(task));
