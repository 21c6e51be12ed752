import { CopyButton } from '../ui/copy.tsx'

/** A long text to copy. */
export function CopyField({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-13 font-medium text-fg2">{label}</span>
      <span className="flex items-center gap-2 rounded-control bg-s2 py-2 ps-3.5 pe-2">
        <code className="min-w-0 flex-1 text-13 break-all select-all">{text}</code>
        <CopyButton text={text} label={label} />
      </span>
    </div>
  )
}
