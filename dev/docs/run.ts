// Writes the generated parts of the documents: npm run docs
import { generatedPages } from "./pages.ts";

const { pages } = await generatedPages();
for (const { path, text, current } of pages) {
  if (current === text) continue;
  await Bun.write(path, current);
  process.stdout.write(`${path} is written.\n`);
}
process.exit(0);
