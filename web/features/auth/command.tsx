/** What somebody types at the machine, as it is typed. */
export function Command({ children }: { readonly children: string }) {
  return <code className="font-mono text-[13px] break-words">{children}</code>;
}
