import { Money } from "./money.tsx";

interface BalanceProps {
  readonly amount: string;
  readonly className?: string;
}

/** What is left on an account. Less than nothing is a debt, and looks like one. */
export function Balance({ amount, className = "" }: BalanceProps) {
  return <Money left amount={amount} className={amount.startsWith("-") ? "text-bad" : className} />;
}
