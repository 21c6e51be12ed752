import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { type ReactNode, useState } from 'react'
import { useFormats } from '../../../app/format.ts'
import { useQuote } from '../../../app/quotes.ts'
import { useTranslation } from '../../../app/translate.ts'
import { useSendOnce } from '../../../app/use-send-once.ts'
import { NumberField } from '../../fields/number-field.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/state.tsx'
import { Chip, Segmented } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { perp } from '../api.ts'
import type { PositionSheetProps } from '../position-sheets.tsx'
import { Profit } from '../../funds/profit.tsx'
import { type Held, heldOf, type Scales } from '../risk.ts'
import { type Draft, type TriggerFault, exitsMax, isComplete, orderOf, quantityOf, resultAt, wrongTrigger } from './draft.ts'
import { type Exit, exitKinds } from './list.ts'
import { ExitRows } from './rows.tsx'
import { TriggerBy } from './whole.tsx'

const parts = ['25', '50', '75', 'whole'] as const

/** The exits of a position one by one, and the form that adds another. */
export function useSingle({
  position,
  scales,
  mark,
  exits,
  isHedge,
}: PositionSheetProps & { readonly exits: readonly Exit[]; readonly isHedge: boolean }): {
  readonly body: ReactNode
  readonly footer: ReactNode
} {
  const { t } = useTranslation()
  const format = useFormats()
  const { market } = scales
  const held = heldOf(position, scales)
  const last = useQuote(market.symbol)?.price
  const [draft, setDraft] = useState<Draft>(() => ({ ...empty, quantity: quantityOf(held, '50', market.lot) }))
  const put = (more: Partial<Draft>): void => setDraft((before) => ({ ...before, ...more }))
  const now = draft.by === 'mark' ? mark?.mark : last
  const nowTicks = now === undefined ? undefined : parseTicks(now, market.tick)
  const fault =
    draft.trigger === '' ? undefined : wrongTrigger(position.side === 'buy', draft.kind, parseTicks(draft.trigger, market.tick), nowTicks)
  const add = useSendOnce({
    request: (clientId, asked: Draft) => orderOf(position, isHedge, asked, clientId),
    call: perp.place,
    onAnswer(_, { kind, trigger }) {
      toast({ text: t('exits.added', { kind: t(`perp.${kind}`), price: format.exact(trigger) }), tone: 'good' })
      setDraft((before) => ({ ...before, trigger: '', price: '' }))
    },
  })
  const isFull = exits.length >= exitsMax
  const body = (
    <>
      <p className="text-12 text-fg2">{t('exits.hint')}</p>
      <ExitRows exits={exits} held={held} scales={scales} />
      {isFull ? (
        <p className="rounded-control bg-s2 p-3 text-12 text-fg2">{t('exits.full', { count: exitsMax })}</p>
      ) : (
        <>
          <Fields draft={draft} put={put} scales={scales} held={held} fault={fault} />
          <Result draft={draft} scales={scales} held={held} />
          <FormError error={add.error} />
        </>
      )}
    </>
  )
  const footer = isFull ? undefined : (
    <Button
      isWide
      disabled={draft.trigger === '' || fault !== undefined || !isComplete(draft, market)}
      isBusy={add.isSending}
      onClick={() => add.send(draft)}
    >
      {t(`exits.add.${draft.kind}`)}
    </Button>
  )
  return { body, footer }
}

const empty: Draft = { kind: 'takeProfit', trigger: '', by: 'mark', part: '50', quantity: '', type: 'market', price: '' }

/** What triggers the exit, how much it closes, and at what price. */
function Fields({
  draft,
  put,
  scales,
  held,
  fault,
}: {
  readonly draft: Draft
  readonly put: (more: Partial<Draft>) => void
  readonly scales: Scales
  readonly held: Held
  readonly fault: TriggerFault | undefined
}) {
  const { t } = useTranslation()
  const { market } = scales
  const wrong = {
    invalid: t('refusals.TRIGGER_INVALID'),
    tooLow: t(draft.by === 'mark' ? 'positions.mustBeAbove' : 'exits.aboveLast'),
    tooHigh: t(draft.by === 'mark' ? 'positions.mustBeBelow' : 'exits.belowLast'),
  }
  return (
    <>
      <Segmented
        label={t('exits.kind')}
        value={draft.kind}
        onChange={(kind) => put({ kind })}
        choices={exitKinds.map((value) => ({ value, label: t(`perp.${value}`) }))}
      />
      <TriggerBy value={draft.by} onChange={(by) => put({ by })} />
      <NumberField
        label={`${t('trade.trigger')} (${market.quote})`}
        value={draft.trigger}
        step={market.tick}
        onChange={(trigger) => put({ trigger })}
        error={fault && wrong[fault]}
      />
      <Part draft={draft} put={put} scales={scales} whole={(part) => quantityOf(held, part, market.lot)} />
      <Segmented
        size="small"
        label={t('trade.orderType')}
        value={draft.type}
        onChange={(type) => put({ type, ...(type === 'limit' && draft.price === '' ? { price: draft.trigger } : {}) })}
        choices={[
          { value: 'market', label: t('trade.kind.market') },
          { value: 'limit', label: t('trade.kind.limit') },
        ]}
      />
      {draft.type === 'limit' && (
        <NumberField
          label={`${t('trade.price')} (${market.quote})`}
          value={draft.price}
          step={market.tick}
          onChange={(price) => put({ price })}
        />
      )}
    </>
  )
}

/** The quantity of an exit, typed or as a share of the position. */
function Part({
  draft,
  put,
  scales: { market },
  whole,
}: {
  readonly draft: Draft
  readonly put: (more: Partial<Draft>) => void
  readonly scales: Scales
  readonly whole: (part: Draft['part']) => string
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const isWhole = draft.part === 'whole'
  return (
    <div className="flex flex-col gap-2">
      {isWhole ? (
        <p className="rounded-control bg-s2 p-3 text-12 text-fg2">{t('exits.follows')}</p>
      ) : (
        <NumberField
          label={`${t('trade.size')} (${market.base})`}
          value={draft.quantity}
          step={market.lot}
          onChange={(quantity) => put({ quantity, part: '' })}
          error={draft.quantity === '' || parseLots(draft.quantity, market.lot) !== undefined ? undefined : t('refusals.QUANTITY_INVALID')}
        />
      )}
      <div role="group" aria-label={t('positions.share')} className="flex flex-wrap gap-1.5">
        {parts.map((part) => (
          <Chip key={part} isOn={draft.part === part} onClick={() => put({ part, ...(part === 'whole' ? {} : { quantity: whole(part) }) })}>
            {part === 'whole' ? t('positions.wholePosition') : format.percent(Number(part), 0)}
          </Chip>
        ))}
      </div>
    </div>
  )
}

/** Profit or loss of what a draft would close, at its limit or at its trigger. */
function Result({ draft, scales, held }: { readonly draft: Draft; readonly scales: Scales; readonly held: Held }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { market, perTickLot, quoteScale } = scales
  const price = draft.type === 'limit' ? draft.price : draft.trigger
  const ticks = parseTicks(price, market.tick)
  const lots = draft.part === 'whole' ? Math.abs(held.lots) : parseLots(draft.quantity, market.lot)
  if (ticks === undefined || lots === undefined) return null
  return (
    <p className="text-12 text-fg2">
      {t('positions.exitBrings', { price: format.exact(price) })}{' '}
      <Profit value={formatUnits(resultAt(held, lots, ticks, perTickLot), quoteScale)} asset={market.quote} />
    </p>
  )
}
