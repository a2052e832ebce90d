// What the source does not say, and what it says instead.
import { isTest, lineAt, type ProjectFile, type Source } from "./source.ts";

interface Banned {
  pattern: RegExp;
  instead: string;
  /** Files the rule is for; all of src/ when absent. */
  within?: RegExp;
  except?: RegExp;
  /** Tests may use the wall clock, chance and the terminal. */
  allowedInTests?: boolean;
  /** For statements, which are texts. */
  inTexts?: boolean;
}

const MONEY = /^src\/(?:accounts|admission|catalogue|ledger|payments|store)\//;

const BANNED: Banned[] = [
  {
    pattern: /\bconsole\.(?:log|info|warn|error|debug)\b/g,
    instead: "log through telemetry/",
    except: /^src\/(?:cli|telemetry)\//,
    allowedInTests: true,
  },
  {
    pattern: /\bMath\.random\b/g,
    instead: "take randomness from lib/",
    except: /^src\/(?:lib|sandbox)\//,
    allowedInTests: true,
  },
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)/g,
    instead: "ask the clock of lib/clock.ts",
    except: /^src\/lib\/clock\.ts$/,
    allowedInTests: true,
  },
  {
    pattern: /\btype:\s*["']direct["']/g,
    instead: "use a pull stream or an async generator: a direct one ignores backpressure",
  },
  {
    pattern: /\bparseFloat\s*\(/g,
    instead: "read decimals into bigint with catalogue/money.ts",
    within: MONEY,
  },
  {
    pattern: /\bimport (?!type\b)[^;]*?from "zod"/g,
    instead: "take it from lib/schemas.ts, which makes a schema when it is first needed",
    except: /^src\/lib\/schemas\.ts$/,
    allowedInTests: true,
  },
  {
    pattern: /\b(?:select|returning)\s+(?:\w+\.)?\*|\.(?:selectAll|returningAll)\(/g,
    instead: "name the columns: PostgreSQL ends a prepared statement whose columns become more",
    // What versions copy is of one moment, and around what subqueries give others name the columns.
    except: /^src\/store\/(?:sqlite\/money-schema|money-reads\/(?:requests|usage))\.ts$/,
    allowedInTests: true,
    inTexts: true,
  },
  { pattern: /\bexport\s+default\b/g, instead: "export a name" },
  {
    pattern: /(?::\s*|\bas\s+|<\s*)any\b(?!\s*[(:])/g,
    instead: "name the type, or take unknown and check it",
  },
];

const EMPTY_NAMES = /(?:^|\/)(?:utils?|helpers?|common|types)(?:\/|(?:\.test)?\.tsx?$)/;

/** Places in src/ where a banned call stands, with what to write instead. */
export function bannedCalls(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith("src/"))
    .flatMap((source) => BANNED.flatMap((rule) => breaches(source, rule)));
}

function breaches(source: Source, rule: Banned): string[] {
  if (rule.except?.test(source.path) || (rule.allowedInTests && isTest(source.path))) return [];
  if (rule.within && !rule.within.test(source.path)) return [];
  return [...source.uncommented.matchAll(rule.pattern)]
    .filter((match) => rule.inTexts || !standsInString(source, match))
    .map((match) => {
      const line = lineAt(source.text, match.index);
      return `${source.path}:${line} ${match[0].trim()}: ${rule.instead}`;
    });
}

/** A string that only speaks of a banned call is blank in the code from its first character on. */
function standsInString(source: Source, match: RegExpExecArray): boolean {
  return source.code[match.index] !== source.text[match.index];
}

/** Files named after nothing; a file is named by its subject. */
export function emptyNames(files: ProjectFile[]): string[] {
  return files
    .map(({ path }) => path)
    .filter((path) => /^(?:src|test|bench|web|dev)\//.test(path) && EMPTY_NAMES.test(path));
}
