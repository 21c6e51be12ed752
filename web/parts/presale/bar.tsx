/** A bar that is filled up to `percent`. `label` says to screen readers what it measures, `text` its value in words. */
export function Bar({ percent, label, text }: { readonly percent: number; readonly label: string; readonly text: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      aria-valuetext={text}
      className="h-1.5 overflow-hidden rounded-full bg-s3"
    >
      <div className="h-full rounded-full bg-brand" style={{ width: `${percent}%` }} />
    </div>
  )
}
