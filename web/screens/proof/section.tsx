import { CircleAlert, CircleCheck, Download, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyButton } from '../../parts/ui/copy.tsx'

/** One matter of the screen: its name, what it is in a sentence, and what was checked. */
export function Section({ title, hint, children }: { readonly title: string; readonly hint: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 px-4">
      <h2 className="text-17 font-semibold">{title}</h2>
      <p className="-mt-2 text-13 text-pretty text-fg2">{hint}</p>
      {children}
    </section>
  )
}

/** `good`: only what was checked on this device. `plain`: nothing to check, or not checked. */
export type Tone = 'good' | 'bad' | 'warn' | 'plain'

const tints: Readonly<Record<Tone, string>> = { good: 'bg-brandtint', bad: 'bg-dangertint', warn: 'bg-warntint', plain: 'bg-s2' }
const colours: Readonly<Record<Tone, string>> = { good: 'text-ok', bad: 'text-danger', warn: 'text-warn', plain: 'text-fg3' }

/** The result of a check in one sentence, with its details below. */
export function Result({ tone, text, children }: { readonly tone: Tone; readonly text: string; readonly children?: ReactNode }) {
  const Icon = tone === 'good' ? CircleCheck : tone === 'plain' ? Info : CircleAlert
  return (
    <div role="status" className={`flex items-start gap-3 rounded-card p-3 ${tints[tone]}`}>
      <Icon size={24} strokeWidth={1.75} aria-hidden className={`shrink-0 ${colours[tone]}`} />
      <div className="min-w-0 flex-1">
        <p className="text-15 font-semibold text-pretty">{text}</p>
        {children !== undefined && <div className="text-12 text-pretty break-words text-fg2">{children}</div>}
      </div>
    </div>
  )
}

/** Facts below a result: rows of a label and a value. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="rounded-card bg-s1 px-4">{children}</dl>
}

/** A hash or a key: its first and last digits, and all of them for a tap on the copy. */
export function Hex({ value, label }: { readonly value: string; readonly label: string }) {
  const [first, last] = shortHex(value).split('…')
  return (
    // The sign of the button ends where the lines below it end. Where there is no room, the line ends between the two parts.
    <span className="-me-2 flex min-w-0 items-center justify-end">
      <span className="min-w-0">
        {first}…<wbr />
        {last}
      </span>
      <CopyButton text={value} label={label} />
    </span>
  )
}

export function shortHex(hex: string): string {
  return `${hex.slice(0, 8)}…${hex.slice(-8)}`
}

const getClass = 'flex min-h-11 items-center gap-2 text-start text-13 font-medium text-brand'

/** A file to save that this device has already. */
export function Save({ onClick, children }: { readonly onClick: () => void; readonly children: string }) {
  return (
    <button type="button" onClick={onClick} className={getClass}>
      <Download size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
      {children}
    </button>
  )
}

/** A file to download. */
export function Get({ href, name, children }: { readonly href: string; readonly name: string; readonly children: string }) {
  return (
    <a href={href} download={name} className={getClass}>
      <Download size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
      {children}
    </a>
  )
}
