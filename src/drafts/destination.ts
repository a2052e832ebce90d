import type { Problem } from "./contract/preview.ts";
import type { PublicAccount } from "./draft.ts";

/** Where drafts of a public account go, in what everybody shows of it. */
export interface Destination {
  readonly name: string;
  readonly appid: string;
  readonly sandbox: boolean;
  /** Null for the built-in platform. */
  readonly platformUrl: string | null;
}

export function destinationOf({ name, appid, kind, platformUrl }: PublicAccount): Destination {
  return { name, appid, sandbox: kind === "built-in", platformUrl };
}

/** A draft for the sandbox is no accident only where there is nothing else. */
export function destinationProblems({ name, realBeside }: PublicAccount): readonly Problem[] {
  if (realBeside === undefined) return [];
  const message =
    `This goes to "${name}" on the built-in platform, where no reader sees it, although there is the ` +
    `public account "${realBeside}". Name that one as the account, or make it the default.`;
  return [
    {
      severity: "warning",
      code: "sandbox_beside_real",
      article: 0,
      field: "account",
      found: name,
      limit: realBeside,
      message,
    },
  ];
}
