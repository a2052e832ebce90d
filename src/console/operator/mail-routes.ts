import type { Guards, Principal } from "../../accounts/guards.ts";
import { Fault } from "../../lib/faults.ts";
import type { Route } from "../../lib/route.ts";
import { TEST_MAIL } from "./contract/system.ts";
import type { MailFacts, OperatorServices } from "./services.ts";

function configured({ mail }: OperatorServices): MailFacts {
  if (mail) return mail;
  throw new Fault(
    "invalid_value",
    "There is no mail server: set FAREGATE_SMTP_URL and FAREGATE_MAIL_FROM, and restart the server.",
  );
}

/** A person's own address, unless another is named; a token has none. */
function recipient(principal: Principal, named: string | undefined): string {
  if (named !== undefined) return named;
  if (principal.userId !== undefined) return principal.name;
  throw new Fault("missing_required_parameter", "Write an e-mail address to send it to.", {
    param: "to",
  });
}

/** Whether mail arrives is found out here, and not by somebody who waits for an invitation. */
export function mailRoutes(services: OperatorServices, guards: Guards): readonly Route[] {
  const { audit } = services;
  return [
    guards.operator(TEST_MAIL, async ({ incoming, principal, body }) => {
      const form = await body();
      const { send, server } = configured(services);
      const to = recipient(principal, form.to);
      incoming.keepOpen();
      const text = `${principal.name} asked for this mail to see whether mail from Faregate arrives. It does.`;
      await send({ to, subject: "A test mail from Faregate", text }).catch((thrown: unknown) => {
        const words = thrown instanceof Error ? thrown.message : String(thrown);
        throw new Fault("mail_failed", `${server} refused the mail: ${words}`, { cause: thrown });
      });
      const note = { principal, accountId: null, action: "mail.test", target: "mail" };
      await audit.write({ ...note, detail: { email: to } });
      return { ok: true as const, to };
    }),
  ];
}
