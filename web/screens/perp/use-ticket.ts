/** The ticket's state and its way to the exchange. Live prices and the account come in as the form's context. */
import { OfflineError } from '@candor/client/errors.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { newClientId, queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { tick } from '../../app/haptics.ts'
import { problemOf } from '../../app/problem.ts'
import { useQuote } from '../../app/quotes.ts'
import { useMe } from '../../app/session.ts'
import { useSettings } from '../../app/settings.ts'
import { useDepth } from '../../app/stream.ts'
import { useTranslation } from '../../app/translate.ts'
import { useIsCertified } from '../../parts/account/certify-gate.tsx'
import { useRisks } from '../../parts/perp/use-risks.ts'
import { toast } from '../../parts/ui/toast.tsx'
import { type Action, type Context, emptyForm, errors, type Errors, type Field, type FieldError, type Form } from './form.ts'
import { isPricedAtMarket, reduce, type Summary, summary } from './form.ts'
import { onlyReduces } from './sizing.ts'

const sender = () => import('./send.ts')

export type TicketState = {
  readonly form: Form
  readonly context: Context
  readonly summary: Summary
  /** What is shown as wrong now: after a try to send all of what that button found, before it only what was typed. */
  readonly shown: Errors
  readonly isVisitor: boolean
  readonly act: (action: Action) => void
  readonly take: (price: Decimal, quantity?: Decimal) => void
  /** Checks, then asks for certification, for confirmation, or sends. */
  readonly press: (side: Side) => void
  readonly confirming: Side | undefined
  readonly confirm: () => void
  readonly cancel: () => void
  readonly isSending: Side | undefined
  readonly problem: string | undefined
  /** Set: this side was pressed by somebody who is not certified. */
  readonly gate: { readonly isOpen: boolean; readonly close: () => void; readonly goOn: () => void }
}

export function useTicket(market: WireMarket, config: WireConfig): TicketState {
  const { t } = useTranslation()
  const format = useFormats()
  const context = useContext(market, config)
  const [form, setForm] = useState(emptyForm)
  const [tried, setTried] = useState<Side>()
  const [confirming, setConfirming] = useState<Side>()
  const [isSending, setIsSending] = useState<Side>()
  const [problem, setProblem] = useState<string>()
  const [gated, setGated] = useState<Side>()
  const clientId = useRef('')
  const isLocked = useRef(false)
  const settings = useSettings()
  const isCertified = useIsCertified()

  const act = useCallback(
    (action: Action) => {
      setForm((before) => reduce(before, action, context))
      if (action.type === 'intent' || action.type === 'kind') setTried(undefined)
    },
    [context],
  )
  const take = useCallback(
    (price: Decimal, quantity?: Decimal) => {
      tick()
      setForm((before) => reduce(before, quantity === undefined ? { type: 'take', price } : { type: 'take', price, quantity }, context))
    },
    [context],
  )
  useFirstPrice(form, context, setForm)
  useEffect(() => void sender().catch(() => undefined), [])

  const send = async (side: Side): Promise<void> => {
    if (isLocked.current) return
    isLocked.current = true
    setIsSending(side)
    setProblem(undefined)
    try {
      const { sendOrder } = await sender()
      await sendOrder(form, side, context, clientId.current, t, format)
      tick(12)
      clientId.current = ''
      setConfirming(undefined)
      setTried(undefined)
      setForm((before) => reduce(before, { type: 'sent' }, context))
    } catch (error) {
      // After a lost answer the same id is sent again: the order exists once, whatever happened to the first try.
      if (!(error instanceof OfflineError)) clientId.current = newClientId()
      const said = problemOf(error, t)
      setProblem(said.text)
      const detail = said.code === undefined ? {} : { detail: t('common.supportCode', { code: said.code }) }
      if (confirming === undefined) toast({ text: said.text, tone: 'bad', ...detail })
    } finally {
      isLocked.current = false
      setIsSending(undefined)
      void queries.invalidateQueries({ queryKey: ['own'] })
    }
  }

  const go = (side: Side): void => {
    if (clientId.current === '') clientId.current = newClientId()
    setProblem(undefined)
    const asks = isPricedAtMarket(form.kind) ? settings.confirmMarket : settings.confirmLimit
    if (asks) setConfirming(side)
    else void send(side)
  }

  const wrong = tried === undefined ? onlyTyped(form, context) : errors(form, tried, context)
  return {
    form,
    context,
    summary: summary(form, context),
    shown: wrong,
    isVisitor: useMe() === undefined,
    act,
    take,
    press(side) {
      // Who lost the certificate can still close.
      if (!isCertified && !onlyReduces(form, context)) {
        setGated(side)
        return
      }
      setTried(side)
      if (Object.keys(errors(form, side, context)).length === 0) go(side)
    },
    confirming,
    confirm: () => confirming !== undefined && void send(confirming),
    cancel() {
      setConfirming(undefined)
      clientId.current = ''
    },
    isSending,
    problem,
    gate: {
      isOpen: gated !== undefined,
      close: () => setGated(undefined),
      goOn: () => setGated(undefined),
    },
  }
}

function useContext(market: WireMarket, config: WireConfig): Context {
  const { depth } = useDepth(market.symbol)
  const quote = useQuote(market.symbol)
  const risks = useRisks(market, config)
  return { ...risks, bid: depth?.bids[0]?.[0], ask: depth?.asks[0]?.[0], last: quote?.price }
}

/** A limit ticket opens with the last price, once; after that the price is the person's. */
function useFirstPrice(form: Form, { last }: Context, setForm: (change: (before: Form) => Form) => void): void {
  const isFilled = useRef(false)
  useEffect(() => {
    if (isFilled.current || last === undefined) return
    isFilled.current = true
    if (form.price === '') setForm((before) => ({ ...before, price: last }))
  }, [form.price, last, setForm])
}

/** Before a button was pressed: what is wrong whichever is, in fields that hold something. */
function onlyTyped(form: Form, context: Context): Errors {
  const [buy, sell] = [errors(form, 'buy', context), errors(form, 'sell', context)]
  const entries = Object.entries(buy) as [Field, FieldError][]
  return Object.fromEntries(entries.filter(([field, error]) => error !== 'FIELD_MISSING' && form[field] !== '' && sell[field] === error))
}
