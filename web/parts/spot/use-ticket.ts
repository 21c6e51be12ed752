/** The ticket's state and its requests. Live prices are part of the form's context. */
import { ApiError } from '@candor/client/errors.ts'
import type { Decimal, Ppm } from '@candor/core/money/brand.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { parseTicks } from '@candor/core/money/price.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireMarginOrder } from '@candor/core/protocol/wire/margin.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { feePpm } from '@candor/core/risk/spot.ts'
import { type ReactNode, useState } from 'react'
import { useBalances } from '../../app/account.ts'
import { useLast } from '../../app/quotes.ts'
import { useMe } from '../../app/session.ts'
import { useLayout } from '../../app/preferences/use-layout.ts'
import { askOf, bidOf, depthOf, none, useBook } from '../../app/stream.ts'
import { useTranslation } from '../../app/translate.ts'
import { asksBefore, type Caution, cautionOf, reachPpm } from '../desk/asks.ts'
import { beforeTap } from '../desk/before-tap.ts'
import { useTicketForm, useTicketOrder } from '../desk/use-form.ts'
import { useIsEmpty } from '../transfer/funded.tsx'
import type { Wanted } from '../transfer/need.ts'
import { toastProblem } from '../ui/toast.tsx'
import { errors } from './errors.ts'
import { type Action, type Context, emptyForm, type Field, type Form } from './form.ts'
import { reduce } from './reduce.ts'
import type { Order } from './send.ts'
import { priceOf, sizeOf } from './sizing.ts'
import { type Summary, summary } from './summary.ts'

const sender = () => import('./send.ts')

/** `rests`: the market in whose book the order would have waited, if that is the reason. */
export type OverTurnover = { readonly rests: { readonly pair: string; readonly quote: string } | undefined }

export type TicketState = {
  readonly form: Form
  readonly context: Context
  readonly summary: Summary
  /** Errors to show: all after an attempt to send, before that only those of filled fields that were left. */
  readonly shown: Readonly<Partial<Record<Field, Refusal>>>
  readonly say: (field: Field, name: Refusal) => string
  readonly isVisitor: boolean
  /** The coin that orders of this side are paid with, and whether their account has none. */
  readonly wanted: Wanted
  readonly isEmpty: boolean
  readonly margin: OnMargin | undefined
  readonly act: (action: Action) => void
  readonly take: (price: Decimal, quantity?: Decimal) => void
  /** Called when the focus leaves a field. */
  readonly leave: () => void
  /** Checks, then asks for confirmation or sends. `asks`: also where the user is not asked. */
  readonly press: (asks?: boolean) => void
  /** Why the order is confirmed although the user switched that off for its kind. */
  readonly caution: Caution | undefined
  readonly isConfirming: boolean
  readonly confirm: () => void
  readonly cancel: () => void
  readonly isSending: boolean
  readonly problem: Error | undefined
  /** Set while the answer to an order that was too much for the user's day is shown. */
  readonly over: OverTurnover | undefined
  readonly closeOver: () => void
}

/** Differences of the same ticket on the desk of margin accounts. */
export type OnMargin = {
  readonly path: string
  /** Sent with every order. */
  readonly order: WireMarginOrder
  /** Label of the spendable amount. */
  readonly available: string
  /** Spendable sum of an asset, including the possible loan. Undefined while unknown. */
  readonly spendable: (asset: string) => Decimal | undefined
  /** The loan that the order takes. */
  readonly loanOf: (summary: Summary) => Decimal
  /** Shown below the preview. */
  readonly inTicket: (ticket: TicketState) => ReactNode
  /** Called before an order is sent; true stops it. */
  readonly isGated: () => boolean
}

export function useTicket(market: WireMarket, config: WireConfig, side: Side, margin?: OnMargin): TicketState {
  const { t } = useTranslation()
  const context = useContext(market, config, margin)
  const desk = `${margin?.path ?? '/spot'} ${market.symbol}`
  const { form, tried, setTried, act, take, typing, leave, refuse, atFields, say } = useTicketForm(
    desk,
    () => emptyForm(side),
    reduce,
    context,
  )
  const depth = useBook(market.symbol, form.kind === 'market' ? depthOf : none)
  const [isConfirming, setIsConfirming] = useState(false)
  const [over, setOver] = useState<OverTurnover>()
  const isVisitor = useMe() === undefined
  const [layout] = useLayout()
  const order = useTicketOrder({
    order: (clientId, asked: Form): Order => ({ clientId, form: asked, context, margin: margin?.order }),
    sender,
    onDone() {
      setIsConfirming(false)
      setTried(undefined)
      act({ type: 'sent' })
    },
    onError(error) {
      if (error instanceof ApiError && error.code === 'TURNOVER_LIMIT') {
        setIsConfirming(false)
        setOver({ rests: restsElsewhere(form, market) })
      } else if (!isConfirming && !refuse(error)) toastProblem(error, t)
    },
  })
  const wanted: Wanted = {
    to: margin?.order.account ?? 'spot',
    asset: form.side === 'buy' ? market.quote : market.base,
    symbol: market.symbol,
  }
  const isEmpty = useIsEmpty(wanted)
  const wrong = errors(form, context)
  const sums = summary(form, context)
  const lots = sizeOf(form, priceOf(form, context), context)?.lots
  const levels = form.side === 'buy' ? depth?.asks : depth?.bids
  const caution = cautionOf({
    takesLoan: margin !== undefined && Number(margin.loanOf(sums)) > 0,
    market: form.kind === 'market' && lots !== undefined ? { reachPpm: reachPpm(levels ?? [], lots, market) } : undefined,
  })
  return {
    form,
    context,
    summary: sums,
    shown: { ...(tried === undefined ? beforeTap(wrong, form, isEmpty ? [typing, 'amount'] : [typing]) : wrong), ...atFields },
    say: (field, name) => say(field, name, { market, reference: parseTicks(context.last ?? '', market.tick) }),
    isVisitor,
    wanted,
    isEmpty,
    margin,
    act,
    take,
    leave,
    press(asks) {
      setTried(form.side)
      if (margin?.isGated() === true || Object.keys(wrong).length > 0) return
      order.clear()
      refuse()
      if (asks || asksBefore(layout, form.kind, caution)) setIsConfirming(true)
      else order.send(form)
    },
    caution: layout.unasked.includes(form.kind) ? caution : undefined,
    isConfirming,
    confirm: () => order.send(form),
    cancel: () => setIsConfirming(false),
    isSending: order.isSending,
    problem: order.error ?? undefined,
    over,
    closeOver: () => setOver(undefined),
  }
}

/** Data for the form: this market's best prices, the available balances, and the user's fees. */
function useContext(market: WireMarket, config: WireConfig, margin: OnMargin | undefined): Context {
  const last = useLast(market.symbol)
  const bid = useBook(market.symbol, bidOf)
  const ask = useBook(market.symbol, askOf)
  const balances = useBalances().data
  const me = useMe()
  // An account that never had a coin is not in the list.
  const spot = balances && (balances.accounts.find((account) => account.kind === 'spot')?.balances ?? [])
  const available = (asset: string): Decimal | undefined =>
    margin !== undefined ? margin.spendable(asset) : spot && (spot.find((balance) => balance.asset === asset)?.available ?? '0')
  const tier = me?.feeTier ?? 0
  const rates = config.feeTiers[tier]
  return {
    market,
    baseScale: scaleOf(config.assets, market.base),
    quoteScale: scaleOf(config.assets, market.quote),
    bid,
    ask,
    last,
    availableBase: available(market.base),
    availableQuote: available(market.quote),
    makerPpm: feePpm(market.makerFeePpm as Ppm, tier, (rates?.makerPpm ?? market.makerFeePpm) as Ppm),
    takerPpm: feePpm(market.takerFeePpm as Ppm, tier, (rates?.takerPpm ?? market.takerFeePpm) as Ppm),
  }
}

/** The market, if it is not priced in USDT and the order could wait in its book: no order of unverified users may. */
function restsElsewhere({ kind, timeInForce }: Form, { base, quote }: WireMarket): OverTurnover['rests'] {
  const waits = kind === 'oco' || ((kind === 'limit' || kind === 'stop-limit') && timeInForce === 'GTC')
  return waits && quote !== 'USDT' ? { pair: `${base}/${quote}`, quote } : undefined
}
