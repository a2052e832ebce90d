import { workInThread } from "../../lib/threads/thread.ts";
import { type ContentTask, storeContent } from "./content-work.ts";

workInThread(async (task: ContentTask) => storeContent(task));
