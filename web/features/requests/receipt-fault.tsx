import type { Receipt } from "../../../src/console/contract/receipt.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Link } from "../../lib/link.tsx";
import { useSession } from "../../lib/session.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { toldCode, vendorWords, wayOut } from "./fault.ts";
import { ReceiptRefusalFacts } from "./receipt-refusal.tsx";

interface ReceiptFaultProps {
  readonly receipt: Receipt;
}

/** Whose fault it was, what the vendor said, which limit it was, and the way out. */
export function ReceiptFault({ receipt }: ReceiptFaultProps) {
  return (
    <div className="flex flex-col gap-2.5 text-sm">
      <p>
        <Sentence receipt={receipt} />
      </p>
      <VendorSays receipt={receipt} />
      {receipt.refusal && <ReceiptRefusalFacts receipt={receipt} refusal={receipt.refusal} />}
      <WayOutLink receipt={receipt} />
    </div>
  );
}

function Sentence({ receipt }: ReceiptFaultProps) {
  const { t } = useSpeech();
  const { blame, model, error_code } = receipt;
  if (blame === null) return null;
  if (blame === "key") return t("requests.fault_key", { model });
  if (blame === "vendor" && !receipt.vendor_called) return t("requests.fault_no_vendor");
  if (blame !== "client") return t(`requests.fault_${blame}`);
  const told = toldCode(error_code);
  const asked = receipt.attempts.length > 0;
  return (
    <>
      {t(asked ? "requests.fault_client_vendor" : "requests.fault_client")}
      {told && ` ${t(`requests.code_${told}`, { model })}`}
    </>
  );
}

function VendorSays({ receipt }: ReceiptFaultProps) {
  const { t } = useSpeech();
  const words = vendorWords(receipt);
  if (words === null) return null;
  return (
    <figure className="rounded-lg bg-sunken px-3.5 py-2.5">
      <figcaption className="text-[13px] text-muted">{t("requests.vendorSays")}</figcaption>
      <blockquote className="mt-1 font-mono text-[13px] leading-relaxed break-words whitespace-pre-wrap">
        {words}
      </blockquote>
    </figure>
  );
}

function WayOutLink({ receipt }: ReceiptFaultProps) {
  const { t } = useSpeech();
  const { me, may } = useSession();
  const way = wayOut(receipt, { operator: me.operator, may });
  if (way === undefined) return null;
  if (typeof way === "string") return <p className="text-muted">{t(`requests.${way}`)}</p>;
  const { kind, to, search } = way;
  return (
    <p>
      <Link to={to} {...(search && { search })} className={buttonClass("primary", "small")}>
        {t(`requests.help_${kind}`)}
      </Link>
    </p>
  );
}
