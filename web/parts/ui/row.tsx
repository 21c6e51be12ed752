import { Check, ChevronRight } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { PathBeside } from '../../app/wide/use-is-wide.ts'

/** A group of rows with an optional heading. */
export function Rows({ title, children }: { readonly title?: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2 px-4">
      {title !== undefined && <h2 className="px-1 text-12 font-medium text-fg3">{title}</h2>}
      <div className="overflow-hidden rounded-card bg-s1 [&>*+*]:border-t [&>*+*]:border-line">{children}</div>
    </section>
  )
}

type RowProps = {
  readonly icon?: ReactNode
  readonly title: ReactNode
  readonly detail?: ReactNode
  /** Shown at the end, before the arrow. */
  readonly value?: ReactNode
}

function RowBody({ icon, title, detail, value, end }: RowProps & { readonly end?: ReactNode }) {
  return (
    <>
      {icon !== undefined && (
        <span aria-hidden className="flex size-6 shrink-0 items-center justify-center text-fg2">
          {icon}
        </span>
      )}
      <span className="min-w-0 flex-1 text-start">
        <span className="block text-15">{title}</span>
        {detail !== undefined && <span className="block text-12 text-fg2">{detail}</span>}
      </span>
      {value !== undefined && <span className="max-w-[50%] text-end text-13 text-fg2">{value}</span>}
      {end}
    </>
  )
}

const rowClass = 'flex min-h-13 w-full items-center gap-3 px-4 py-2.5'

/** A row that opens a path of the app. */
export function LinkRow({ to, ...body }: RowProps & { readonly to: string }) {
  return (
    <a href={`#${to}`} aria-current={useContext(PathBeside) === to ? 'page' : undefined} className={`${rowClass} active:bg-s2`}>
      <RowBody {...body} end={<ChevronRight size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg3" />} />
    </a>
  )
}

/** A row that runs an action. */
export function ActionRow({
  onClick,
  isDanger = false,
  ...body
}: RowProps & { readonly onClick: () => void; readonly isDanger?: boolean }) {
  return (
    <button type="button" onClick={onClick} className={`${rowClass} active:bg-s2 ${isDanger ? 'text-danger' : ''}`}>
      <RowBody {...body} />
    </button>
  )
}

/** A row that shows a value; `children` is the control at its end. */
export function Row({ children, ...body }: RowProps & { readonly children?: ReactNode }) {
  return (
    <div className={rowClass}>
      <RowBody {...body} end={children} />
    </div>
  )
}

/** One of several choices in a sheet or a list. */
export function ChoiceRow({ isOn, onClick, ...body }: RowProps & { readonly isOn: boolean; readonly onClick: () => void }) {
  return (
    <button
      type="button"
      role="radio"
      aria-checked={isOn}
      onClick={onClick}
      className={`${rowClass} rounded-control ${isOn ? 'bg-brandtint' : 'active:bg-s2'}`}
    >
      <RowBody {...body} end={isOn ? <Check size={20} strokeWidth={1.75} aria-hidden className="shrink-0 text-brand" /> : undefined} />
    </button>
  )
}
