/** The state of the desk of Second and its way to the exchange. */
import { OfflineError } from '@candor/client/errors.ts'
import type { Direction } from '@candor/core/protocol/command/option.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOption, WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { useRef, useState } from 'react'
import { useBalances } from '../../app/account.ts'
import { newClientId, queries } from '../../app/client.ts'
import { tick } from '../../app/haptics.ts'
import { problemOf } from '../../app/problem.ts'
import { useMe } from '../../app/session.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { useIsCertified } from '../../parts/account/certify-gate.tsx'
import { useNow } from '../../parts/live/clock.ts'
import { option, putOpened, useOptionMe } from '../../parts/option/data.ts'
import { useLiveIndex } from '../../parts/live/live-index.ts'
import { toast } from '../../parts/ui/toast.tsx'
import {
  type Action,
  type Context,
  emptyForm,
  type Form,
  type Gate,
  gateOf,
  reduce,
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
  /** What is wrong with the stake; of an empty one only after a try. */
  readonly error: Refusal | undefined
  /** What the exchange would refuse the order of a direction for. */
  readonly wrong: Readonly<Record<Direction, Refusal | undefined>>
  readonly gate: Gate | undefined
  /** No price for some seconds: nothing can be placed on what is not seen. */
  readonly isStale: boolean
  /** The exchange is there and its index says nothing: no source is missing, none is heard. */
  readonly isSilent: boolean
  readonly act: (action: Action) => void
  readonly press: (direction: Direction) => void
  /** Set while the order waits to be confirmed. */
  readonly confirming: Direction | undefined
  readonly confirm: () => void
  readonly cancel: () => void
  readonly sending: Direction | undefined
  readonly problem: string | undefined
  /** The same terms once more: fills the ticket and asks. */
  readonly again: (order: WireOption) => void
}

const staleAfterMs = 5_000

export function useDesk(market: WireMarket, config: WireConfig, terms: WireOptionTerms): Desk {
  const { t } = useTranslation()
  const context = useContext(market, config, terms)
  const index = useLiveIndex(market.symbol)
  const now = useNow(1_000)
  const [form, setForm] = useState(() => emptyForm(terms))
  const [wasTried, setWasTried] = useState(false)
  const [confirming, setConfirming] = useState<Direction>()
  const [sending, setSending] = useState<Direction>()
  const [problem, setProblem] = useState<string>()
  const clientId = useRef('')
  const isLocked = useRef(false)
  const asks = useSettings((settings) => settings.confirmMarket)
  const isVisitor = useMe() === undefined
  const isCertified = useIsCertified()

  const fault = wrong(form, context)
  const sides = { up: wrong(form, context, 'up'), down: wrong(form, context, 'down') }
  const gate = gateOf({
    isVisitor,
    isOpen: terms.isOpen,
    isPaused: (index.isLive && !index.isGood) || terms.markets.some((one) => one.symbol === market.symbol && one.isPaused),
    isCertified,
    me: context.me,
    nowMs: now,
  })

  const send = async (direction: Direction): Promise<void> => {
    if (isLocked.current) return
    isLocked.current = true
    setSending(direction)
    setProblem(undefined)
    if (clientId.current === '') clientId.current = newClientId()
    try {
      const { order } = await option.open(requestOf(form, market.symbol, direction, clientId.current))
      putOpened(order)
      tick(12)
      toast({ text: t('settled.accepted'), detail: t('settled.acceptedHint'), tone: 'good' })
      clientId.current = ''
      setConfirming(undefined)
      setWasTried(false)
    } catch (error) {
      // After a lost answer the same id is sent again: the order exists once, whatever happened to the first try.
      if (!(error instanceof OfflineError)) clientId.current = ''
      const said = problemOf(error, t)
      setProblem(said.text)
      if (confirming === undefined && !asks) toast({ text: said.text, tone: 'bad' })
    } finally {
      isLocked.current = false
      setSending(undefined)
      void queries.invalidateQueries({ queryKey: ['own'] })
    }
  }

  return {
    market,
    form,
    context,
    summary: summary(form, context),
    error: fault === 'FIELD_MISSING' && !wasTried ? undefined : fault,
    wrong: sides,
    gate,
    isStale: !index.isLive || now - index.at > staleAfterMs,
    isSilent: index.isLive && now - index.at > staleAfterMs,
    act(action) {
      // Another order is another id: only the very same one may be sent twice.
      clientId.current = ''
      setForm((before) => reduce(before, action, context))
    },
    press(direction) {
      setWasTried(true)
      setProblem(undefined)
      if (sides[direction] !== undefined) return
      if (asks) {
        clientId.current = newClientId()
        setConfirming(direction)
      } else void send(direction)
    },
    confirming,
    confirm: () => confirming !== undefined && void send(confirming),
    cancel: () => setConfirming(undefined),
    sending,
    problem,
    again(order) {
      clientId.current = newClientId()
      setProblem(undefined)
      setForm((before) => reduce(before, { type: 'again', seconds: order.seconds, stake: order.stake, guardPpm: order.guardPpm }, context))
      setConfirming(order.direction)
    },
  }
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
    scale: config.assets.find(({ symbol }) => symbol === market.quote)?.scale ?? 6,
  }
}
