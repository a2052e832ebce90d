// Asks the registry what is known of the packages that we build on, and says it in words. It breaks no build where the
// registry cannot be reached, or has a new advisory.
//
//   npm run audit
import { z } from "zod";
import { shippedNames } from "./ship/stage.ts";

const SEVERITIES = ["critical", "high", "moderate", "low", "info"] as const;

const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.enum(SEVERITIES),
      range: z.string(),
      isDirect: z.boolean(),
      fixAvailable: z.unknown(),
    }),
  ),
});

type Report = z.infer<typeof report>;

/** What `npm audit` printed; undefined where it could not ask. */
async function ask(): Promise<Report | undefined> {
  const child = Bun.spawn(["npm", "audit", "--json"], { stdout: "pipe", stderr: "ignore" });
  const text = await new Response(child.stdout).text();
  await child.exited;
  try {
    return report.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Only those of some packages. */
function among({ vulnerabilities }: Report, names: ReadonlySet<string>): Report {
  const found = Object.entries(vulnerabilities).filter(([name]) => names.has(name));
  return { vulnerabilities: Object.fromEntries(found) };
}

function tell(title: string, { vulnerabilities }: Report): void {
  const found = Object.entries(vulnerabilities).toSorted(
    ([, a], [, b]) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
  console.log(`${title}: ${found.length === 0 ? "nothing known" : `${found.length} known`}`);
  for (const [name, { severity, range, isDirect, fixAvailable }] of found) {
    const whose = isDirect ? "ours" : "of another package";
    const fix = fixAvailable ? "a newer version mends it" : "no version mends it yet";
    console.log(`  ${severity.padEnd(8)} ${name} ${range} (${whose}; ${fix})`);
  }
}

const all = await ask();
if (all) {
  tell("What an installation runs", among(all, await shippedNames()));
  tell("With what only tests and builds use", all);
} else {
  console.log("The registry could not be asked; nothing was checked.");
}
