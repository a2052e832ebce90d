export function BrandMark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 24V10a2 2 0 0 1 2-2h12M9 16h10"
        className="fill-none stroke-on-accent"
        strokeWidth="3.2"
        strokeLinecap="round"
      />
      <circle cx="22.5" cy="22.5" r="2.5" className="fill-on-accent" />
    </svg>
  );
}
