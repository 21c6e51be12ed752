/** The ticket's state and its way to the exchange. Live prices come in as the form's context. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { feePpm } from '@candor/core/risk/spot.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireMarginOrder } from '@candor/core/protocol/wire/margin.ts'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { OfflineError } from '@candor/client/errors.ts'
import { useBalances } from '../../app/account.ts'
import { client, newClientId, queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { tick } from '../../app/haptics.ts'
import { problemOf } from '../../app/problem.ts'
import { useQuote } from '../../app/quotes.ts'
import { useMe } from '../../app/session.ts'
import { useSettings } from '../../app/settings.ts'
import { useDepth } from '../../app/stream.ts'
import { toast } from '../ui/toast.tsx'
import {
  type Action,
  type Context,
  emptyForm,
  errors,
  type Field,
  type FieldError,
  type Form,
  isPricedAtMarket,
  reduce,
  type Summary,
  summary,
} from './form.ts'
import { requestOf } from './request.ts'

const placed = () => import('../order/placed.ts')

export type TicketState = {
  readonly form: Form
  readonly context: Context
  readonly summary: Summary
  /** What is shown as wrong now: all of it after a try to send, before that only what was typed. */
  readonly shown: Readonly<Partial<Record<Field, FieldError>>>
  readonly isVisitor: boolean
  readonly margin: OnMargin | undefined
  readonly act: (action: Action) => void
  readonly take: (price: Decimal, quantity?: Decimal) => void
  /** Checks, then asks for confirmation or sends. */
  readonly press: () => void
  readonly isConfirming: boolean
  readonly confirm: () => void
  readonly cancel: () => void
  readonly isSending: boolean
  readonly problem: string | undefined
}

/** What the desk of margin accounts does differently with the same ticket. */
export type OnMargin = {
  readonly path: string
  /** Goes out with every order. */
  readonly order: WireMarginOrder
  /** Name of what can be spent. */
  readonly available: string
  /** What the account can spend of an asset, with what it would borrow for it. Undefined while it is not known. */
  readonly spendable: (asset: string) => Decimal | undefined
  /** Below the preview. */
  readonly inTicket: (ticket: TicketState) => ReactNode
  /** Stands before an order; true: it is not sent. */
  readonly isGated: () => boolean
}

export function useTicket(market: WireMarket, config: WireConfig, side: Side, margin?: OnMargin): TicketState {
  const { t } = useTranslation()
  const format = useFormats()
  const context = useContext(market, config, margin)
  const [form, setForm] = useState(() => emptyForm(side))
  const [wasTried, setWasTried] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const clientId = useRef('')
  const isLocked = useRef(false)
  const settings = useSettings()

  const act = useCallback(
    (action: Action) => {
      setForm((before) => reduce(before, action, context))
      if (action.type === 'side' || action.type === 'kind') setWasTried(false)
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
  useEffect(() => void placed().catch(() => undefined), [])

  const wrong = errors(form, context)
  const shown = wasTried ? wrong : withoutMissing(wrong, form)

  const send = async (): Promise<void> => {
    if (isLocked.current) return
    isLocked.current = true
    setIsSending(true)
    setProblem(undefined)
    try {
      // Nothing is sent of which could not be said what became of it.
      const { announce } = await placed()
      const request = requestOf(form, context, clientId.current)
      if (request.kind === 'oco') {
        await client.spot.placeOco(margin === undefined ? request.body : { ...request.body, margin: margin.order })
        toast({ text: t('orders.placed'), tone: 'good' })
      } else
        announce(await client.spot.place(margin === undefined ? request.body : { ...request.body, margin: margin.order }), market, t, format)
      tick(12)
      clientId.current = ''
      setIsConfirming(false)
      setWasTried(false)
      setForm((before) => reduce(before, { type: 'sent' }, context))
    } catch (error) {
      // After a lost answer the same id is sent again: the order exists once, whatever happened to the first try.
      if (!(error instanceof OfflineError)) clientId.current = newClientId()
      const said = problemOf(error, t)
      setProblem(said.text)
      if (!isConfirming)
        toast({
          text: said.text,
          tone: 'bad',
          ...(said.code === undefined ? {} : { detail: t('common.supportCode', { code: said.code }) }),
        })
    } finally {
      isLocked.current = false
      setIsSending(false)
      void queries.invalidateQueries({ queryKey: ['own'] })
    }
  }

  const needsConfirmation = isPricedAtMarket(form.kind) ? settings.confirmMarket : settings.confirmLimit
  return {
    form,
    context,
    summary: summary(form, context),
    shown,
    isVisitor: useMe() === undefined,
    margin,
    act,
    take,
    press() {
      setWasTried(true)
      if (margin?.isGated() === true || Object.keys(wrong).length > 0) return
      if (clientId.current === '') clientId.current = newClientId()
      setProblem(undefined)
      if (needsConfirmation) setIsConfirming(true)
      else void send()
    },
    isConfirming,
    confirm: () => void send(),
    cancel() {
      setIsConfirming(false)
      clientId.current = ''
    },
    isSending,
    problem,
  }
}

/** What the form counts with: this market's best prices, what is available, and the person's own fees. */
function useContext(market: WireMarket, config: WireConfig, margin: OnMargin | undefined): Context {
  const { depth } = useDepth(market.symbol)
  const quote = useQuote(market.symbol)
  const balances = useBalances().data
  const me = useMe()
  const spot = balances?.accounts.find((account) => account.kind === 'spot')?.balances
  const available = (asset: string): Decimal | undefined =>
    margin !== undefined ? margin.spendable(asset) : spot && (spot.find((balance) => balance.asset === asset)?.available ?? '0')
  const tier = me?.feeTier ?? 0
  const rates = config.feeTiers[tier]
  const scaleOf = (symbol: string): number => config.assets.find((asset) => asset.symbol === symbol)?.scale ?? 8
  return {
    market,
    baseScale: scaleOf(market.base),
    quoteScale: scaleOf(market.quote),
    bid: depth?.bids[0]?.[0],
    ask: depth?.asks[0]?.[0],
    last: quote?.price,
    availableBase: available(market.base),
    availableQuote: available(market.quote),
    makerPpm: feePpm(market.makerFeePpm, tier, rates?.makerPpm ?? market.makerFeePpm),
    takerPpm: feePpm(market.takerFeePpm, tier, rates?.takerPpm ?? market.takerFeePpm),
  }
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

function withoutMissing(wrong: Readonly<Partial<Record<Field, FieldError>>>, form: Form): Readonly<Partial<Record<Field, FieldError>>> {
  const entries = Object.entries(wrong) as [Field, FieldError][]
  return Object.fromEntries(entries.filter(([field, error]) => error !== 'FIELD_MISSING' && form[field] !== ''))
}
