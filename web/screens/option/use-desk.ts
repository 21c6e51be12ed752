/** The state of the desk of Second and its requests. */
import { scaleOf } from '@candor/core/money/scale.ts'
import type { Direction } from '@candor/core/protocol/command/option.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOption, WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { useState } from 'react'
import { useBalances } from '../../app/account.ts'
import { useMe } from '../../app/session.ts'
import { useLayout } from '../../app/preferences/use-layout.ts'
import { useTranslation } from '../../app/translate.ts'
import { type Sending, useSendOnce } from '../../app/use-send-once.ts'
import { useDraft } from '../../app/wide/use-draft.ts'
import { useIsCertified } from '../../parts/account/certify-gate.tsx'
import { exchangeNow, useNow } from '../../parts/live/clock.ts'
import { option, putOpened, useOpenOptions, useOptionMe } from '../../parts/option/data.ts'
import { type LiveIndex, useLiveIndex } from '../../parts/live/live-index.ts'
import { useIsEmpty } from '../../parts/transfer/funded.tsx'
import { toast, toastProblem } from '../../parts/ui/toast.tsx'
import {
  type Action,
  type Context,
  emptyForm,
  type Form,
  type Gate,
  gateOf,
  isCapped,
  reduce,
  repeatableAt,
  requestOf,
  type Summary,
  summary,
  wrong,
} from './form.ts'

export type Desk = {
  readonly market: WireMarket
  readonly form: Form
  readonly context: Context
  readonly summary: Summary
  /**
   * Error of the stake. The suggested stake is at fault only after it was changed or an order was tried, unless it is why the buttons
   * are off.
   */
  readonly error: Refusal | undefined
  /** The refusal that an order of each direction would get. */
  readonly wrong: Readonly<Record<Direction, Refusal | undefined>>
  readonly gate: Gate | undefined
  readonly isEmpty: boolean
  /** Whether there was no price for some seconds: then no order can be placed. */
  readonly isStale: boolean
  /** Whether the exchange can be reached but its index does not tick. */
  readonly isSilent: boolean
  readonly act: (action: Action) => void
  readonly press: (direction: Direction) => void
  /** Set while the order waits to be confirmed. */
  readonly confirming: Direction | undefined
  readonly confirm: () => void
  readonly cancel: () => void
  readonly sending: Direction | undefined
  readonly problem: Error | undefined
  /** Whole seconds until a repeated order may be confirmed; 0 for now. */
  readonly restLeft: number
  /** Fills the ticket with the same terms and, if nothing stands against an order, asks for confirmation. Sends nothing. */
  readonly again: (order: WireOption) => void
}

const staleAfterMs = 5_000

/** Users whose first order since this page was opened has been confirmed. */
const confirmedFirst = new Set<string>()

export function useDesk(market: WireMarket, config: WireConfig, terms: WireOptionTerms): Desk {
  const { t } = useTranslation()
  const context = useContext(market, config, terms)
  const index = useLiveIndex(market.symbol)
  const now = useNow(1_000)
  const [form, setForm] = useDraft(`/Second ${market.symbol} `, () => emptyForm(terms))
  const [wasTried, setWasTried] = useState(false)
  const [wasChosen, setWasChosen] = useState(false)
  const [confirming, setConfirming] = useState<Direction>()
  const [restUntil, setRestUntil] = useState(0)
  const lastAcceptedAt = Math.max(0, ...(useOpenOptions().data ?? []).map(({ acceptedAt }) => acceptedAt))
  const isEmpty = useIsEmpty({ to: 'option', asset: market.quote, symbol: market.symbol })
  const gate = useGate(market, context, index, now)
  const [{ unasked }] = useLayout()
  const uid = useMe()?.uid ?? ''
  const asks = !unasked.includes('option')
  const fault = wrong(form, context)
  const sides = { up: wrong(form, context, 'up'), down: wrong(form, context, 'down') }
  const order = useOrder(market, {
    onDone() {
      confirmedFirst.add(uid)
      setConfirming(undefined)
      setWasTried(false)
    },
    onError(error) {
      if (confirming === undefined && !asks) toastProblem(error, t)
    },
  })
  const act = (action: Action): void => {
    if (action.type !== 'seconds') setWasChosen(true)
    setForm((before) => reduce(before, action, context))
  }
  return {
    market,
    form,
    context,
    summary: summary(form, context),
    error: isShown(fault, { wasTried, wasChosen, isEmpty }) ? fault : undefined,
    wrong: sides,
    gate,
    isEmpty,
    isStale: !index.isLive || now - index.at > staleAfterMs,
    isSilent: index.isLive && now - index.at > staleAfterMs,
    act,
    press(direction) {
      setWasTried(true)
      order.clear()
      if (sides[direction] !== undefined) return
      setRestUntil(0)
      // The first order is confirmed in any case: its terms may not be what they were at the last visit.
      if (asks || !confirmedFirst.has(uid)) setConfirming(direction)
      else order.send({ form, direction })
    },
    confirming,
    confirm: () => confirming !== undefined && exchangeNow() >= restUntil && order.send({ form, direction: confirming }),
    cancel: () => setConfirming(undefined),
    sending: order.sending?.direction,
    problem: order.error ?? undefined,
    restLeft: Math.max(0, Math.ceil((restUntil - now) / 1_000)),
    again(last) {
      const { seconds, stake, guardPpm, direction } = last
      order.clear()
      act({ type: 'again', seconds, stake, guardPpm })
      setRestUntil(repeatableAt(last, lastAcceptedAt))
      if (gate === undefined) setConfirming(direction)
    },
  }
}

/** Whether an error of the stake is said. An empty account is named by its button, and so needs no error. */
function isShown(
  fault: Refusal | undefined,
  { wasTried, wasChosen, isEmpty }: { readonly wasTried: boolean; readonly wasChosen: boolean; readonly isEmpty: boolean },
): boolean {
  if (isCapped(fault)) return true
  if (wasTried) return true
  return wasChosen && fault !== 'FIELD_MISSING' && !(isEmpty && fault === 'INSUFFICIENT_BALANCE')
}

type Asked = { readonly form: Form; readonly direction: Direction }

/** The ticket's request. */
function useOrder(
  market: WireMarket,
  { onDone, onError }: { readonly onDone: () => void; readonly onError: (error: Error) => void },
): Sending<Asked> {
  const { t } = useTranslation()
  return useSendOnce({
    request: (clientId, { form, direction }: Asked) => requestOf(form, market.symbol, direction, clientId),
    call: option.open,
    onAnswer({ order }) {
      putOpened(order)
      toast({ text: t('settled.accepted'), detail: t('settled.acceptedHint'), tone: 'good' })
      onDone()
    },
    onError,
  })
}

/** The reason, if any, why this user can't place an order in this market now. */
function useGate(market: WireMarket, { terms, me }: Context, index: LiveIndex, nowMs: number): Gate | undefined {
  const isVisitor = useMe() === undefined
  const isCertified = useIsCertified()
  const isPaused = (index.isLive && !index.isGood) || terms.markets.some((one) => one.symbol === market.symbol && one.isPaused)
  return gateOf({ isVisitor, isOpen: terms.isOpen, isPaused, isCertified, me, nowMs })
}

function useContext(market: WireMarket, config: WireConfig, terms: WireOptionTerms): Context {
  const balances = useBalances().data
  const me = useOptionMe().data
  const account = balances?.accounts.find(({ kind }) => kind === 'option')
  return {
    terms,
    me,
    left: me?.left.find(({ symbol }) => symbol === market.symbol),
    available: balances === undefined ? undefined : (account?.balances.find(({ asset }) => asset === market.quote)?.available ?? '0'),
    scale: scaleOf(config.assets, market.quote),
  }
}
