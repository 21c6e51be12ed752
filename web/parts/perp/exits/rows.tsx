import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { useMutation } from '@tanstack/react-query'
import { PencilLine, X } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { queries } from '../../../app/client.ts'
import { useFormats } from '../../../app/format.ts'
import { problemOf } from '../../../app/problem.ts'
import { loadArea } from '../../../app/texts.ts'
import { useTranslation } from '../../../app/translate.ts'
import { later } from '../../ui/later.tsx'
import { toast } from '../../ui/toast.tsx'
import { perp } from '../api.ts'
import { Profit } from '../../funds/profit.tsx'
import type { Held, Scales } from '../risk.ts'
import { resultAt } from './draft.ts'
import type { Exit } from './list.ts'

const AmendRow = later(async () => {
  const [row] = await Promise.all([import('../../order/amend-row.tsx'), loadArea('orders')])
  return row.AmendRow
})

/** The exits of a position: what triggers each, how much it closes and what that brings, with buttons to change and cancel it. */
export function ExitRows({ exits, held, scales }: { readonly exits: readonly Exit[]; readonly held: Held; readonly scales: Scales }) {
  const { t } = useTranslation()
  const [changing, setChanging] = useState<string>()
  if (exits.length === 0) return <p className="py-2 text-center text-13 text-fg3">{t('exits.none')}</p>
  return (
    <ul className="flex flex-col rounded-card bg-s2 px-3">
      {exits.map((exit) => (
        <li key={exit.order.id} className="border-b border-line last:border-0">
          <Row exit={exit} held={held} scales={scales} onChange={() => setChanging(exit.order.id)} />
          {changing === exit.order.id && (
            <Suspense fallback={null}>
              <AmendRow order={exit.order} send={perp.amend} onClose={() => setChanging(undefined)} />
            </Suspense>
          )}
        </li>
      ))}
    </ul>
  )
}

function Row({
  exit: { order, kind, trigger, isWhole },
  held,
  scales,
  onChange,
}: {
  readonly exit: Exit
  readonly held: Held
  readonly scales: Scales
  readonly onChange: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { market, perTickLot, quoteScale } = scales
  const cancel = useMutation({
    mutationFn: () => perp.cancel(order.id, order.symbol),
    onSuccess: () => toast({ text: t('orders.cancelled') }),
    onError: (error) => toast({ text: problemOf(error, t).text, tone: 'bad' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own'] }),
  })
  const ticks = parseTicks(order.price ?? trigger, market.tick)
  const lots = isWhole ? Math.abs(held.lots) : parseLots(order.quantity ?? '', market.lot)
  const name = { kind: t(`perp.${kind}`), price: format.exact(trigger) }
  const size = isWhole ? t('positions.wholePosition') : `${format.exact(order.quantity ?? '0')} ${market.base}`
  const at = order.price === undefined ? t('trade.atMarket') : format.exact(order.price)
  return (
    <div className="flex items-center gap-1 py-2">
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex flex-wrap items-baseline gap-x-2 text-13">
          <span className={`font-medium ${kind === 'takeProfit' ? 'text-up' : 'text-down'}`}>{name.kind}</span>
          <span className="tn font-medium">{name.price}</span>
          <span className="text-11 text-fg3">{t(order.perp?.triggerBy === 'mark' ? 'perp.mark' : 'perp.last')}</span>
        </span>
        <span className="tn flex flex-wrap gap-x-2 text-12 text-fg2">
          <span>{`${size} · ${at}`}</span>
          {ticks !== undefined && lots !== undefined && (
            <Profit value={formatUnits(resultAt(held, lots, ticks, perTickLot), quoteScale)} asset={market.quote} />
          )}
        </span>
      </div>
      <IconButton label={t('exits.change', name)} isBusy={cancel.isPending} onClick={onChange}>
        <PencilLine size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <IconButton label={t('exits.cancel', name)} isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
        <X size={18} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </div>
  )
}

function IconButton({
  label,
  isBusy,
  onClick,
  children,
}: {
  readonly label: string
  readonly isBusy: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={isBusy}
      onClick={onClick}
      className="flex size-11 shrink-0 items-center justify-center rounded-control text-fg2 active:bg-s3 disabled:opacity-40"
    >
      {children}
    </button>
  )
}
