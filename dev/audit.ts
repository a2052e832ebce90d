// Asks the registry what is known of the packages that we build on, and says it in words. It reports and no
// more: a machine without a way to the registry, or an advisory of last night, breaks nobody's build.
//
//   npm run audit
import { z } from "zod";

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

/** What `npm audit` printed; undefined where it could not ask. */
async function ask(...more: string[]): Promise<z.infer<typeof report> | undefined> {
  const child = Bun.spawn(["npm", "audit", "--json", ...more], {
    stdout: "pipe",
    stderr: "ignore",
  });
  const text = await new Response(child.stdout).text();
  await child.exited;
  try {
    return report.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function tell(title: string, { vulnerabilities }: z.infer<typeof report>): void {
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

const served = await ask("--omit=dev");
const all = served && (await ask());
if (served && all) {
  tell("What an installation runs", served);
  tell("With what only tests and builds use", all);
} else {
  console.log("The registry could not be asked; nothing was checked.");
}
