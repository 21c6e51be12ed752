/** Buttons, badges and states of a page. */
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Problem } from '../app/client.ts'
import { sentenceOf, t } from '../app/texts.ts'

export type ButtonProps = ComponentProps<'button'> & {
  /** `filled`: the one action that the page is for. */
  readonly look?: 'plain' | 'filled' | 'quiet'
  readonly isDanger?: boolean
  readonly size?: 'small' | 'usual' | 'wide'
  /** The key that does the same. */
  readonly hotkey?: string
}

export function buttonClass({ look = 'plain', isDanger = false, size = 'usual' }: Pick<ButtonProps, 'look' | 'isDanger' | 'size'>): string {
  return ['button', look === 'plain' ? '' : look, isDanger ? 'danger' : '', size === 'usual' ? '' : size].filter(Boolean).join(' ')
}

export function Button({ look, isDanger, size, hotkey, children, ...rest }: ButtonProps): ReactNode {
  const className = buttonClass({
    ...(look && { look }),
    ...(isDanger && { isDanger }),
    ...(size && { size }),
  })
  return (
    <button type="button" className={className} {...rest}>
      {children}
      {hotkey !== undefined && <Kbd>{hotkey}</Kbd>}
    </button>
  )
}

/** A key; the button that has it says what it does, so it is not read out. */
export function Kbd({ children }: { readonly children: string }): ReactNode {
  return (
    <kbd className="kbd" aria-hidden="true">
      {children}
    </kbd>
  )
}

export type Tone = 'ok' | 'warn' | 'danger' | 'brand' | 'plain'

export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }): ReactNode {
  return <span className={tone === 'plain' ? 'badge' : `badge ${tone}`}>{children}</span>
}

/** Why something failed, read out at once. Nothing without a cause. */
export function FaultNote({ cause }: { readonly cause: unknown }): ReactNode {
  if (cause === undefined || cause === null) return null
  const id = cause instanceof Problem && cause.code !== 'UNREACHABLE' ? cause.requestId : undefined
  return (
    <p className="fault" role="alert">
      {sentenceOf(cause)}
      {id !== undefined && <small className="tn">{t.common.support(id)}</small>}
    </p>
  )
}

/** A part of a page that could not be loaded. */
export function Failed({ cause, onRetry }: { readonly cause: unknown; readonly onRetry: () => void }): ReactNode {
  return (
    <div className="empty">
      <FaultNote cause={cause} />
      <Button onClick={onRetry}>{t.common.retry}</Button>
    </div>
  )
}

export function Empty({
  title,
  text,
  children,
}: {
  readonly title: string
  readonly text: string
  readonly children?: ReactNode
}): ReactNode {
  return (
    <div className="empty">
      <strong>{title}</strong>
      <p>{text}</p>
      {children}
    </div>
  )
}

/** Grey rows in the place of data. */
export function Skeleton({ rows = 4, height = 22 }: { readonly rows?: number; readonly height?: number }): ReactNode {
  return (
    <div className="card-body first stack" role="status" aria-label={t.common.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton" style={{ height }} />
      ))}
    </div>
  )
}

export function Card({
  title,
  action,
  children,
}: {
  readonly title: ReactNode
  readonly action?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className="card">
      <div className="card-head">
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** The mark of the exchange. */
export function Mark(): ReactNode {
  return (
    <svg aria-hidden="true" viewBox="0 0 64 64" width="24" height="24">
      <rect width="64" height="64" rx="16" fill="#4048e0" />
      <path d="M43.5 22.4A15 15 0 1 0 43.5 41.6" fill="none" stroke="#fff" strokeWidth="6" strokeLinecap="round" />
      <circle cx="32" cy="32" r="4.5" fill="#fff" />
    </svg>
  )
}

/** Work that a button starts: whether it runs, why it failed, and a function that runs it once at a time. */
export function useWork<A extends readonly unknown[]>(
  work: (...args: A) => Promise<unknown>,
): {
  readonly isBusy: boolean
  readonly fault: unknown
  readonly run: (...args: A) => Promise<boolean>
  readonly clear: () => void
} {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const run = async (...args: A): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    setFault(undefined)
    try {
      await work(...args)
      return true
    } catch (cause) {
      setFault(cause)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, fault, run, clear: () => setFault(undefined) }
}

type MoreProps = { readonly hasMore: boolean; readonly isBusy: boolean; readonly onMore: () => void }

/** The end of a list that is read page by page. */
export function More({ hasMore, isBusy, onMore }: MoreProps): ReactNode {
  if (!hasMore) return null
  return (
    <div className="card-body first">
      <Button look="quiet" disabled={isBusy} onClick={onMore}>
        {t.common.more}
      </Button>
    </div>
  )
}
