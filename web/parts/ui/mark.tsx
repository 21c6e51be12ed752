/** The mark of Candor: an open ring around a clear point. */
export function Mark({ size = 28 }: { readonly size?: number }) {
  return (
    <svg aria-hidden viewBox="0 0 64 64" width={size} height={size} className="shrink-0">
      <rect width="64" height="64" rx="16" className="fill-[#4048e0]" />
      <path d="M43.5 22.4A15 15 0 1 0 43.5 41.6" fill="none" stroke="#fff" strokeWidth="6" strokeLinecap="round" />
      <circle cx="32" cy="32" r="4.5" fill="#fff" />
    </svg>
  )
}
