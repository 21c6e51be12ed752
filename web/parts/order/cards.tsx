/** Components shared by the lists of open orders of all products. */
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useMutation } from '@tanstack/react-query'
import { PencilLine } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, useRef, useState } from 'react'
import { type client, queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'
import { laterSheet } from '../ui/later.tsx'
import { Swipe } from '../ui/swipe.tsx'
import { filledPercent } from './words.ts'

const AmendSheet = laterSheet(() => import('./amend-sheet.tsx').then((module) => module.AmendSheet))

export type CardProps = { readonly order: WireOrder; readonly onChange: () => void }

/** A card for each order, and the sheet that changes one. `send`: the amend route of the product. */
export function OrderCards({
  orders,
  Card,
  send,
}: {
  readonly orders: readonly WireOrder[]
  readonly Card: ComponentType<CardProps>
  readonly send?: typeof client.spot.amend
}) {
  const [changing, setChanging] = useState<WireOrder>()
  return (
    <>
      <ul className="flex flex-col">
        {orders.map((order) => (
          <li key={order.id} className="border-b border-line last:border-0">
            <Card order={order} onChange={() => setChanging(order)} />
          </li>
        ))}
      </ul>
      {changing !== undefined && (
        <Suspense fallback={null}>
          <AmendSheet key={changing.id} order={changing} {...(send && { send })} onClose={() => setChanging(undefined)} />
        </Suspense>
      )}
    </>
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
}: CardProps & {
  readonly headline: ReactNode
  readonly figures: ReactNode
  readonly canChange: boolean
  /** The cancel route of the product. */
  readonly cancel: () => Promise<WireOrder>
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const [send, isSending] = useCancel(order, cancel)
  const percent = filledPercent(order)
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
            {canChange && <ChangeButton onClick={onChange} />}
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

function ChangeButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Button variant="soft" size="small" aria-label={t('orders.change')} onClick={onClick}>
      <PencilLine size={16} strokeWidth={1.75} aria-hidden />
    </Button>
  )
}

/** Cancels an order and says so. A second call while the first request is on its way sends nothing. */
function useCancel(order: WireOrder, cancel: () => Promise<WireOrder>): readonly [send: () => void, isSending: boolean] {
  const { t } = useTranslation()
  const isOnItsWay = useRef(false)
  const { mutate, isPending } = useMutation({
    mutationFn: cancel,
    async onSuccess(ended) {
      const again = await import('./again.ts').catch(() => undefined)
      if (again === undefined) toast({ text: t('orders.cancelled') })
      else again.announceCancelled(order, ended, t)
    },
    onError: (error) => toast({ text: problemOf(error, t).text, tone: 'bad' }),
    onSettled: () => {
      isOnItsWay.current = false
      return queries.invalidateQueries({ queryKey: ['own'] })
    },
  })
  const send = (): void => {
    if (isOnItsWay.current) return
    isOnItsWay.current = true
    mutate()
  }
  return [send, isPending]
}
