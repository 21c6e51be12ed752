/** The ticket's state and its requests. Live prices and the account are part of the form's context. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useState } from 'react'
import { useLast } from '../../app/quotes.ts'
import { useMe } from '../../app/session.ts'
import { useLayout } from '../../app/preferences/use-layout.ts'
import { askOf, bidOf, depthOf, none, useBook } from '../../app/stream.ts'
import { useTranslation } from '../../app/translate.ts'
import { useIsCertified } from '../../parts/account/certify-gate.tsx'
import { asksBefore, type Caution, cautionOf, reachPpm } from '../../parts/desk/asks.ts'
import { beforeTap } from '../../parts/desk/before-tap.ts'
import { useTicketForm, useTicketOrder } from '../../parts/desk/use-form.ts'
import { useRisks } from '../../parts/perp/use-risks.ts'
import { useIsEmpty } from '../../parts/transfer/funded.tsx'
import { toastProblem } from '../../parts/ui/toast.tsx'
import { errors, type Errors } from './errors.ts'
import { type Action, type Context, emptyForm, type Field, type Form } from './form.ts'
import { reduce } from './reduce.ts'
import type { Order } from './send.ts'
import { lotsOf, onlyReduces, priceOf } from './sizing.ts'
import { type Summary, summary } from './summary.ts'

const sender = () => import('./send.ts')

type Asked = { readonly form: Form; readonly side: Side }

export type TicketState = {
  readonly form: Form
  readonly context: Context
  readonly summary: Summary
  /** Errors to show: all of the tapped button's order; before an attempt, only those of filled fields that were left. */
  readonly shown: Readonly<Partial<Record<Field, Refusal>>>
  readonly say: (field: Field, name: Refusal) => string
  readonly isVisitor: boolean
  /** Whether the account has nothing, and no position here that an order could close. */
  readonly isEmpty: boolean
  readonly act: (action: Action) => void
  readonly take: (price: Decimal, quantity?: Decimal) => void
  /** Called when the focus leaves a field. */
  readonly leave: () => void
  /** Checks the order, then asks for verification or confirmation, or sends it. `asks`: also where the user is not asked. */
  readonly press: (side: Side, asks?: boolean) => void
  readonly confirming: Side | undefined
  /** Why the order to confirm is confirmed although the user switched that off for its kind. */
  readonly caution: Caution | undefined
  readonly confirm: () => void
  readonly cancel: () => void
  readonly isSending: Side | undefined
  readonly problem: Error | undefined
  /** The sheet that asks an unverified user to verify before an order. */
  readonly gate: { readonly isOpen: boolean; readonly close: () => void; readonly goOn: () => void }
}

export function useTicket(market: WireMarket, config: WireConfig): TicketState {
  const { t } = useTranslation()
  const context = useContext(market, config)
  const { form, tried, setTried, act, take, typing, leave, refuse, atFields, say } = useTicketForm(
    `/contract ${market.symbol}`,
    emptyForm,
    reduce,
    context,
  )
  // Only orders at the market's price look deeper into the book than its best prices.
  const depth = useBook(market.symbol, form.kind === 'market' ? depthOf : none)
  const [confirming, setConfirming] = useState<Side>()
  const [gated, setGated] = useState<Side>()
  const [layout] = useLayout()
  const isCertified = useIsCertified()
  const isVisitor = useMe() === undefined
  const order = useTicketOrder({
    order: (clientId, asked: Asked): Order => ({ clientId, ...asked, context }),
    sender,
    onDone() {
      setConfirming(undefined)
      setTried(undefined)
      act({ type: 'sent' })
    },
    onError(error) {
      if (confirming === undefined && !refuse(error)) toastProblem(error, t)
    },
  })
  const hasNothing = useIsEmpty({ to: 'perp', asset: market.quote, symbol: market.symbol })
  const isEmpty = hasNothing && context.long === undefined && context.short === undefined
  const sums = summary(form, context)
  const caution = (side: Side): Caution | undefined => {
    const lots = lotsOf(form, priceOf(form, side, context), context)
    const levels = (side === 'buy' ? depth?.asks : depth?.bids) ?? []
    return cautionOf({
      leverage: sums[side].isClosing ? undefined : context.leverage,
      market: form.kind === 'market' && lots !== undefined ? { reachPpm: reachPpm(levels, lots, market) } : undefined,
    })
  }
  const closeGate = (): void => setGated(undefined)
  return {
    form,
    context,
    summary: sums,
    shown: {
      ...(tried === undefined ? onlyTyped(form, context, isEmpty ? [typing, 'amount'] : [typing]) : errors(form, tried, context)),
      ...atFields,
    },
    say: (field, name) => say(field, name, { market, reference: context.markTicks }),
    isVisitor,
    isEmpty,
    act,
    take,
    leave,
    press(side, asks) {
      // Users who are no longer verified can still close.
      if (!isCertified && !onlyReduces(form, context)) return setGated(side)
      setTried(side)
      if (Object.keys(errors(form, side, context)).length > 0) return
      order.clear()
      refuse()
      if (asks || asksBefore(layout, form.kind, caution(side))) setConfirming(side)
      else order.send({ form, side })
    },
    confirming,
    caution: confirming !== undefined && layout.unasked.includes(form.kind) ? caution(confirming) : undefined,
    confirm: () => confirming !== undefined && order.send({ form, side: confirming }),
    cancel: () => setConfirming(undefined),
    isSending: order.sending?.side,
    problem: order.error ?? undefined,
    gate: { isOpen: gated !== undefined, close: closeGate, goOn: closeGate },
  }
}

function useContext(market: WireMarket, config: WireConfig): Context {
  const last = useLast(market.symbol)
  const bid = useBook(market.symbol, bidOf)
  const ask = useBook(market.symbol, askOf)
  const risks = useRisks(market, config)
  return { ...risks, bid, ask, last }
}

/** Errors before a tap: those that both sides have, in filled fields that were left. */
function onlyTyped(form: Form, context: Context, quiet: readonly (string | undefined)[]): Errors {
  const [buy, sell] = [errors(form, 'buy', context), errors(form, 'sell', context)]
  const both = Object.entries(buy).filter(([field, error]) => sell[field as Field] === error)
  return beforeTap(Object.fromEntries(both) as Errors, form, quiet)
}
