import { parseTicks } from '@candor/core/money/price.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { useMarket } from '../../app/config.ts'
import { useLast } from '../../app/quotes.ts'
import { type Sending, useSendOnce } from '../../app/use-send-once.ts'
import { Button } from '../ui/button.tsx'
import { focusFirstWrong } from '../fields/first-wrong.ts'
import { NumberField } from '../fields/number-field.tsx'
import { FormError } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'
import { amendOf, changeOf, isLeg, type SendChange, sleepsUntil, type Typed, typedOf } from './amend.ts'
import { refusedField, sayFault } from './faults.ts'

/**
 * Changes price or quantity of a resting order in its row, and says whether it keeps its place in the queue. A stop that sleeps also has
 * a trigger; it has no price if it acts at the market, and no quantity if it closes a whole position, spends an amount, or is a leg of
 * an OCO. Enter sends the change, Escape leaves the order as it is.
 */
export function AmendRow({
  order,
  send = client.spot.amend,
  onClose,
}: {
  readonly order: WireOrder
  /** The amend route of the order's product. */
  readonly send?: SendChange
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const market = useMarket(order.symbol)
  const [typed, setTyped] = useState<Typed>(typedOf(order))
  const [wasTried, setWasTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const say = useSay(order.symbol, typed.price)
  const amend = useAmend(order, send, { onDone: onClose, onRefused: () => focusFirstWrong(form.current) })
  useEffect(() => form.current?.querySelector('input')?.select(), [])
  if (market === undefined) return null
  const change = changeOf(order, typed, market)
  const wakesAt = sleepsUntil(order)
  const found = refusedField(amend.error)
  const refused = found !== undefined && fieldsOf(order).has(found.field) ? found : undefined
  const error = (field: 'price' | 'amount' | 'stop'): string | undefined => {
    const name = change.wrong[field] ?? (refused?.field === field ? refused.name : undefined)
    if (name === 'filled') return t('orders.belowFilled')
    return name === undefined || (name === 'FIELD_MISSING' && !wasTried) ? undefined : say(field, name)
  }
  const effect = wakesAt !== undefined ? t('orders.waitsAnew') : change.keepsPlace ? t('orders.keepsPlace') : t('orders.losesPlace')
  const set = (part: Partial<Typed>): void => {
    amend.clear()
    setTyped({ ...typed, ...part })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasTried(true)
    if (Object.keys(change.wrong).length > 0) focusFirstWrong(form.current)
    else if (change.isSame) onClose()
    else amend.send(typed)
  }
  return (
    <form
      ref={form}
      aria-label={t('orders.changeTitle', { pair: `${market.base}/${market.quote}` })}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className="flex flex-col gap-2 px-4 pb-3"
    >
      <Fields {...{ order, market, typed, set, error }} />
      {refused === undefined && <FormError error={amend.error} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p role="status" className="min-w-0 flex-1 text-12 text-fg2">
          {change.isSame ? '' : effect}
        </p>
        <Buttons isBusy={amend.isSending} onClose={onClose} />
      </div>
    </form>
  )
}

/** The fields of an order's form. What is wrong with another value is said below them. */
function fieldsOf(order: WireOrder): ReadonlySet<string> {
  const fields = { stop: sleepsUntil(order), price: order.price, amount: isLeg(order) ? undefined : order.quantity }
  return new Set(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name])))
}

/** The values that an order has. */
function Fields({
  order,
  market,
  typed,
  set,
  error,
}: {
  readonly order: WireOrder
  readonly market: WireMarket
  readonly typed: Typed
  readonly set: (part: Partial<Typed>) => void
  readonly error: (field: 'price' | 'amount' | 'stop') => string | undefined
}) {
  const { t } = useTranslation()
  const fields = fieldsOf(order)
  return (
    <div className="grid grid-cols-2 gap-2">
      {fields.has('stop') && (
        <NumberField
          label={`${t('trade.trigger')} (${market.quote})`}
          value={typed.trigger}
          step={market.tick}
          onChange={(trigger) => set({ trigger })}
          error={error('stop')}
        />
      )}
      {fields.has('price') && (
        <NumberField
          label={`${t('trade.price')} (${market.quote})`}
          value={typed.price}
          step={market.tick}
          onChange={(price) => set({ price })}
          error={error('price')}
        />
      )}
      {fields.has('amount') && (
        <NumberField
          label={`${t('trade.quantity')} (${market.base})`}
          value={typed.quantity}
          step={market.lot}
          onChange={(quantity) => set({ quantity })}
          error={error('amount')}
        />
      )}
    </div>
  )
}

/** Sends a change once, without what is as before. */
function useAmend(
  order: WireOrder,
  send: SendChange,
  { onDone, onRefused }: { readonly onDone: () => void; readonly onRefused: () => void },
): Sending<Typed> {
  const { t } = useTranslation()
  return useSendOnce({
    request: (clientId, typed: Typed) => amendOf(clientId, order, typed),
    call: (change) => send(order.id, change),
    onAnswer() {
      toast({ text: t('orders.changed'), tone: 'good' })
      onDone()
    },
    onError: onRefused,
  })
}

function Buttons({ isBusy, onClose }: { readonly isBusy: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="flex gap-2">
      <Button variant="ghost" size="small" onClick={onClose}>
        {t('orders.keep')}
      </Button>
      <Button type="submit" size="small" isBusy={isBusy}>
        {t('orders.change')}
      </Button>
    </div>
  )
}

/** Says what is wrong with a field. The band of prices is measured from the last price. */
function useSay(symbol: string, price: string): (field: string, name: Refusal) => string {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(symbol)
  const last = useLast(symbol)
  return (field, name) => {
    if (market === undefined) return t(`refusals.${name}`)
    const reference = last === undefined ? undefined : parseTicks(last, market.tick)
    return sayFault({ field, name, market, reference, price }, t, format)
  }
}
