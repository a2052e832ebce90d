import { BodiesWriter } from "./bodies-writer.ts";
import { migrate, openFile } from "./database.ts";
import { KeptAnswersWriter } from "./kept-answers-writer.ts";
import { RESPONSE_VERSIONS } from "./responses-schema.ts";
import { ResponsesWriter } from "./responses-writer.ts";
import { handlerOf, serveWriter } from "./worker.ts";

serveWriter(({ path, owner }) => {
  const db = openFile(path, { create: true, synchronous: "NORMAL" });
  migrate(db, RESPONSE_VERSIONS);
  const answers = new KeptAnswersWriter(db, owner);
  return handlerOf(db, new ResponsesWriter(db), answers, new BodiesWriter(db));
});
