import type { Decimal } from '@candor/core/money/brand.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import type { Formats } from '../../app/formats.ts'
import { tick } from '../../app/haptics.ts'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { type Sending, useSendOnce } from '../../app/use-send-once.ts'
import { useFirstPrice } from './first-price.ts'
import type { Take } from './form.ts'

/** Actions that start a new order, for which no attempt to send was made yet. */
const beginsAnew: ReadonlySet<string> = new Set(['side', 'intent', 'kind'])

/** The form of a ticket, and the side whose button was last pressed. `reduce` returns the form after an action. */
export function useTicketForm<
  Form extends { readonly price: string },
  Action extends { readonly type: string },
  Context extends { readonly last: Decimal | undefined },
>(empty: () => Form, reduce: (form: Form, action: Action | Take, context: Context) => Form, context: Context) {
  const [form, setForm] = useState(empty)
  const [tried, setTried] = useState<Side>()
  // Prices change the context many times a second, but nothing that only acts or takes should render for it.
  const latest = useRef(context)
  useLayoutEffect(() => {
    latest.current = context
  })
  const act = useCallback(
    (action: Action | Take) => {
      const now = latest.current
      setForm((before) => reduce(before, action, now))
      if (beginsAnew.has(action.type)) setTried(undefined)
    },
    [reduce],
  )
  const take = useCallback(
    (price: Decimal, quantity?: Decimal) => {
      tick()
      act(quantity === undefined ? { type: 'take', price } : { type: 'take', price, quantity })
    },
    [act],
  )
  const putPrice = useCallback((price: Decimal) => setForm((before) => ({ ...before, price })), [])
  useFirstPrice(form.price, context.last, putPrice)
  return { form, tried, setTried, act, take }
}

/** Places an order. Resolves to a function that announces the result. */
export type Place<Order> = (order: Order, t: Translate, format: Formats) => Promise<() => void>

/**
 * Sends a ticket's orders. `sender` loads the code that sends an order and announces its result. It is loaded after the desk, and
 * no order is sent before it is there.
 */
export function useTicketOrder<Asked extends object, Order>(options: {
  readonly order: (clientId: string, asked: Asked) => Order
  readonly sender: () => Promise<{ readonly place: Place<Order> }>
  readonly onDone: () => void
  readonly onError: (error: Error) => void
}): Sending<Asked> {
  const { sender, onDone, onError } = options
  const { t } = useTranslation()
  const format = useFormats()
  useEffect(() => void sender().catch(() => undefined), [sender])
  return useSendOnce({
    request: options.order,
    call: async (order) => (await sender()).place(order, t, format),
    onAnswer(announce) {
      announce()
      onDone()
    },
    onError,
  })
}
