import { GripVertical } from 'lucide-react'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { tick } from '../../app/haptics.ts'
import { useTranslation } from '../../app/translate.ts'

export type Arranged<Id extends string> = { readonly id: Id; readonly name: string }

/** A list that its owner puts in order: by dragging the handle of a row, or with the arrow keys while the handle has the focus. */
export function Arrange<Id extends string>({
  label,
  items,
  onMove,
  render,
}: {
  readonly label: string
  readonly items: readonly Arranged<Id>[]
  /** By how many places the row moves; negative: towards the start. */
  readonly onMove: (id: Id, by: number) => void
  readonly render: (item: Arranged<Id>) => ReactNode
}) {
  const { t } = useTranslation()
  const [dragged, setDragged] = useState<Id>()
  const [said, setSaid] = useState('')
  const list = useRef<HTMLUListElement>(null)

  const move = (item: Arranged<Id>, by: number): void => {
    const from = items.findIndex(({ id }) => id === item.id)
    const to = Math.min(Math.max(from + by, 0), items.length - 1)
    if (to === from) return
    tick()
    onMove(item.id, to - from)
    setSaid(t('common.movedTo', { name: item.name, place: to + 1, count: items.length }))
  }
  /** Moves the dragged row to the place below the finger. */
  const drag = (event: PointerEvent, item: Arranged<Id>): void => {
    if (dragged !== item.id || list.current === null) return
    const from = items.findIndex(({ id }) => id === item.id)
    const rows = [...list.current.children].map((row) => row.getBoundingClientRect())
    const over = rows.findIndex(({ top, bottom }) => event.clientY >= top && event.clientY < bottom)
    if (over >= 0) move(item, over - from)
  }
  return (
    <>
      <ul ref={list} aria-label={label}>
        {items.map((item) => (
          <li key={item.id} className={`flex min-h-13 items-center gap-2 ps-4 pe-1 ${dragged === item.id ? 'bg-s2' : ''}`}>
            {render(item)}
            <button
              type="button"
              aria-label={t('common.moveHandle', { name: item.name })}
              className="press flex size-11 shrink-0 cursor-grab touch-none items-center justify-center text-fg3"
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId)
                setDragged(item.id)
              }}
              onPointerMove={(event) => drag(event, item)}
              onPointerUp={() => setDragged(undefined)}
              onPointerCancel={() => setDragged(undefined)}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
                event.preventDefault()
                move(item, event.key === 'ArrowUp' ? -1 : 1)
              }}
            >
              <GripVertical size={20} strokeWidth={1.75} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </>
  )
}
