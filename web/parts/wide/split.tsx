import type { ReactNode } from 'react'

/** A list at the left and what was chosen in it at the right. `isFirst`: the list leads straight there, so it needs no button back. */
export function Split({
  name,
  label,
  list,
  isFirst = true,
  children,
}: {
  /** The path of the list, for its widths. */
  readonly name: string
  readonly label: string
  readonly list: ReactNode
  readonly isFirst?: boolean
  readonly children: ReactNode
}) {
  return (
    <div className="wide-split" data-list={name}>
      <section aria-label={label} className="wide-list">
        {list}
      </section>
      <div className="wide-detail" data-first={isFirst ? '' : undefined}>
        {children}
      </div>
    </div>
  )
}
