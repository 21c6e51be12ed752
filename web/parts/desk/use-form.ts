import type { Decimal } from '@candor/core/money/brand.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import type { Formats } from '../../app/formats.ts'
import { tick } from '../../app/haptics.ts'
import { usePlace } from '../../app/location.ts'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { type Sending, useSendOnce } from '../../app/use-send-once.ts'
import { useDraft } from '../../app/wide/use-draft.ts'
import { afterTap } from '../fields/after-tap.ts'
import { focusFirstWrong } from '../fields/first-wrong.ts'
import type { Fault } from '../order/faults.ts'
import { useFirstPrice } from './first-price.ts'
import type { Take } from './form.ts'

/** Actions that start a new order, for which no attempt to send was made yet. */
const beginsAnew: ReadonlySet<string> = new Set(['side', 'intent', 'kind'])

/** A price in the address of a desk, which its new ticket begins with. */
const isPrice = /^\d{1,15}(\.\d{1,12})?$/

type Faults = typeof import('../order/faults.ts')

/** The words for what is wrong with a field. They are loaded after the desk; until then refusals have their plain text. */
function useFaults(): { readonly faults: Faults | undefined; readonly t: Translate; readonly format: Formats } {
  const [faults, setFaults] = useState<Faults>()
  const { t } = useTranslation()
  useEffect(() => void import('../order/faults.ts').then(setFaults, () => undefined), [])
  return { faults, t, format: useFormats() }
}

/** The field that an action types into. */
function fieldOf(action: { readonly type: string; readonly field?: string }): string | undefined {
  return action.type === 'set' ? action.field : undefined
}

/**
 * The form of a ticket, and the side whose button was last pressed. `desk`: its path and market. `reduce` returns the form after an action. `typing` is the field
 * that is being filled in until `leave` is called: it complains about nothing yet.
 */
export function useTicketForm<
  Form extends { readonly price: string },
  Action extends { readonly type: string },
  Context extends { readonly last: Decimal | undefined },
>(desk: string, empty: () => Form, reduce: (form: Form, action: Action | Take, context: Context) => Form, context: Context) {
  const asked = usePlace().query.get('price')
  const [form, setForm] = useDraft(desk, () => (asked !== null && isPrice.test(asked) ? { ...empty(), price: asked } : empty()))
  const [tried, setTried] = useState<Side>()
  const [typing, setTyping] = useState<string>()
  const { faults, t, format } = useFaults()
  const [refused, setRefused] = useState<ReturnType<Faults['refusedField']>>()
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
      setTyping(fieldOf(action))
      setRefused(undefined)
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
  const leave = useCallback(() => afterTap(() => setTyping(undefined)), [])
  /** Shows a refusal at the field that it is about, if it is about one, and puts the focus there. */
  const refuse = (error?: Error): boolean => {
    const found = faults?.refusedField(error)
    setRefused(found)
    if (found !== undefined) focusFirstWrong(document.querySelector('main'))
    return found !== undefined
  }
  const say = (field: string, name: Refusal, { market, reference }: Pick<Fault, 'market' | 'reference'>): string =>
    faults?.sayFault({ field, name, market, reference, price: form.price }, t, format) ?? t(`refusals.${name}`)
  const atFields = refused === undefined ? {} : { [refused.field]: refused.name }
  return { form, tried, setTried, act, take, typing, leave, refuse, atFields, say }
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
