/** Components shared by the lists of open orders of all products. */
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { PencilLine } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, useRef, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { later } from '../ui/later.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Swipe } from '../ui/swipe.tsx'
import type { SendChange } from './amend.ts'
import { useCancel } from './use-cancel.ts'
import { filledPercent } from './words.ts'

/** The form that changes an order in place. */
export const AmendRow = later(async () => {
  const [row] = await Promise.all([import('./amend-row.tsx'), loadArea('orders')])
  return row.AmendRow
})

/** `editor`: the form that changes the order, in place of its figures and buttons while it is open. */
export type CardProps = { readonly order: WireOrder; readonly onChange: () => void; readonly editor: ReactNode }

/** A card for each order; one of them can be changed in place. `send`: the amend route of the product. */
export function OrderCards({
  orders,
  Card,
  send,
}: {
  readonly orders: readonly WireOrder[]
  readonly Card: ComponentType<CardProps>
  readonly send?: SendChange
}) {
  const [changing, setChanging] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const close = (): void => {
    const button = `[data-change="${changing}"]`
    setChanging(undefined)
    // The button that opened the form is there again with the next frame.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(button)?.focus())
  }
  return (
    <ul ref={list} className="flex flex-col">
      {orders.map((order) => (
        <li key={order.id} className="border-b border-line last:border-0">
          <Card
            order={order}
            onChange={() => setChanging(order.id)}
            editor={
              changing === order.id && (
                <Suspense fallback={<Skeleton className="mx-4 mb-3 h-28 rounded-control" />}>
                  <AmendRow order={order} {...(send && { send })} onClose={close} />
                </Suspense>
              )
            }
          />
        </li>
      ))}
    </ul>
  )
}

/** The frame of a card: a headline with the time, figures, the buttons, and the filled part of the order. */
export function OrderCard({
  order,
  headline,
  figures,
  canChange,
  cancel,
  onChange,
  editor,
}: CardProps & {
  readonly headline: ReactNode
  readonly figures: ReactNode
  readonly canChange: boolean
  /** The cancel route of the product. */
  readonly cancel: () => Promise<WireOrder>
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const [sendCancel, isSending] = useCancel(cancel)
  const send = (): void => sendCancel(order)
  const percent = filledPercent(order)
  if (editor !== false)
    return (
      <article className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center gap-x-2 px-4 pt-3">{headline}</div>
        {editor}
      </article>
    )
  return (
    <Swipe label={t('orders.cancel')} onAction={send}>
      <article className="flex flex-col gap-2 px-4 py-3">
        <div className="flex flex-wrap items-center gap-x-2">
          {headline}
          <time className="tn ms-auto shrink-0 text-11 text-fg3" dateTime={new Date(order.placedAt).toISOString()}>
            {format.dateTime(order.placedAt)}
          </time>
        </div>
        <div className="flex flex-wrap items-end justify-end gap-x-3 gap-y-2">
          {figures}
          <div className="flex shrink-0 gap-2">
            {canChange && <ChangeButton id={order.id} onClick={onChange} />}
            <Button variant="soft" size="small" isBusy={isSending} onClick={send}>
              {t('orders.cancel')}
            </Button>
          </div>
        </div>
        {percent > 0 && (
          <span aria-hidden className="h-0.5 overflow-hidden rounded-full bg-s2">
            <span className="block h-full bg-brand" style={{ width: `${percent}%` }} />
          </span>
        )}
      </article>
    </Swipe>
  )
}

function ChangeButton({ id, onClick }: { readonly id: string; readonly onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Button variant="soft" size="small" data-change={id} aria-label={t('orders.change')} onClick={onClick}>
      <PencilLine size={16} strokeWidth={1.75} aria-hidden />
    </Button>
  )
}
