import type { WireSignal, WireSignalOrder, WireSignalTried } from '@candor/core/protocol/wire/own/signals.ts'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { keys } from './data.ts'
import { sampleOf } from './signal-form.ts'
import { useRefusal } from './signal-log.tsx'

/** Reads an alert as if it had come, and says what it would do. */
export function SignalTrial({ id, signal }: { readonly id: string; readonly signal: WireSignal }) {
  const { t } = useTranslation()
  const field = useId()
  const [text, setText] = useState(() => sampleOf(signal))
  const { isOn: _isOn, madeAt: _madeAt, ...terms } = signal
  const trial = useMutation({ mutationFn: () => keys.trySignal(id, { text, terms }) })
  return (
    <section className="flex flex-col gap-2">
      <label htmlFor={field} className="text-15 font-semibold">
        {t('signals.trial')}
      </label>
      <textarea
        id={field}
        rows={3}
        value={text}
        maxLength={2_048}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => {
          setText(event.target.value)
          trial.reset()
        }}
        className="rounded-control border border-transparent bg-s2 px-3.5 py-2.5 text-13 outline-none focus:border-brand"
      />
      <p className="text-12 text-fg3">{t('signals.trialHint')}</p>
      {trial.data !== undefined && <Told tried={trial.data} />}
      <FormError error={trial.error} />
      <Button variant="soft" size="medium" isBusy={trial.isPending} onClick={() => trial.mutate()}>
        {t('signals.trialSend')}
      </Button>
    </section>
  )
}

function Told({ tried: { order, refusal, field } }: { readonly tried: WireSignalTried }) {
  const refusalText = useRefusal()
  const orderText = useOrderText()
  return (
    <p role="status" className={`rounded-control px-3 py-2.5 text-13 text-fg ${order === undefined ? 'bg-dangertint' : 'bg-brandtint'}`}>
      {order !== undefined && orderText(order)}
      {refusal !== undefined && refusalText(refusal)}
      {field !== undefined && <code className="block pt-1 text-12 break-all">{field}</code>}
    </p>
  )
}

function useOrderText(): (order: WireSignalOrder) => string {
  const { t } = useTranslation()
  const format = useFormats()
  return ({ symbol, side, isClose, quantity, quote, price, value }) => {
    const amount = quantity === undefined ? `${format.number(quote ?? '0')} USDT` : format.number(quantity)
    if (isClose) return t('signals.wouldClose', { symbol, amount })
    const values = { symbol, amount, value: format.number(value ?? '0') }
    const what = side === 'buy' ? t('signals.wouldBuy', values) : t('signals.wouldSell', values)
    return price === undefined ? what : `${what} ${t('signals.limitAt', { price: format.number(price) })}`
  }
}
