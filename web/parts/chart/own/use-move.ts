import { formatTicks, parseTicks } from '@candor/core/money/price.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { tick } from '../../../app/haptics.ts'
import { isLost } from '../../../app/send-once.ts'
import { type Translate, useTranslation } from '../../../app/translate.ts'
import { type Sending, useSendOnce } from '../../../app/use-send-once.ts'
import { toast, toastProblem } from '../../ui/toast.tsx'
import type { OwnLine } from './line.ts'
import { blockOf, isShown, type Move, movedTo, released, type Stop, stopOf } from './move.ts'
import { useIsLive } from './use-live.ts'

export type Moving = {
  readonly move: Move | undefined
  /** The price of the move, with the digits of the market. */
  readonly price: Decimal | undefined
  readonly error: Error | null
  /** Begins a move by a pointer. False: it can't begin now, which is said. */
  readonly hold: (line: OwnLine) => boolean
  readonly to: (ticks: number) => void
  readonly release: () => void
  /** Moves by ticks with the keyboard. */
  readonly step: (line: OwnLine, ticks: number) => void
  readonly confirm: () => void
  readonly cancel: () => void
}

/** Moves one line at a time, and ends the move when the thing behind it ends, changes, or can't be changed any more. */
export function useMove(lines: readonly OwnLine[], market: WireMarket): Moving {
  const { t } = useTranslation()
  const [move, setMove] = useState<Move>()
  const gate = { isTrading: market.isTrading, isLive: useIsLive() }
  const latest = useRef({ lines, move })
  latest.current = { lines, move }
  const put = (next: Move | undefined): void => {
    latest.current.move = next
    setMove(next)
  }
  const lineOf = (id: string): OwnLine | undefined => latest.current.lines.find((line) => line.id === id)

  const sending = useSending({ latest, put, lineOf })

  const isOver = move !== undefined && isShown(move, lines)
  useEffect(() => (isOver ? setMove(undefined) : undefined), [isOver])

  const stop = move === undefined ? undefined : stopOf(move, lines, gate)
  useStopped(stop, () => put(undefined))

  const begin = (line: OwnLine, stage: 'held' | 'asked'): Move | undefined => {
    const from = parseTicks(line.price, market.tick)
    if (line.move === undefined || from === undefined || latest.current.move?.stage === 'sending' || latest.current.move?.stage === 'done')
      return undefined
    const block = line.move.needsMarket ? blockOf(gate) : undefined
    if (block !== undefined) {
      toast({ text: stopText(block, t), tone: 'bad' })
      return undefined
    }
    sending.clear()
    const known = latest.current.move
    const begun: Move = known?.id === line.id ? { ...known, stage } : { id: line.id, version: line.move.version, from, to: from, stage }
    put(begun)
    return begun
  }
  const send = (asked: Move): void => {
    put({ ...asked, stage: 'sending' })
    sending.send({ id: asked.id, price: formatTicks(asked.to, market.tick) })
  }
  return {
    move: stop === undefined && !isOver ? move : undefined,
    price: move === undefined ? undefined : formatTicks(move.to, market.tick),
    error: sending.error,
    hold(line) {
      if (begin(line, 'held') === undefined) return false
      tick()
      return true
    },
    to: (ticks) => latest.current.move?.stage === 'held' && put(movedTo(latest.current.move, ticks)),
    release() {
      const now = latest.current.move
      if (now?.stage !== 'held') return
      const [next, by] = [released(now), lineOf(now.id)?.move]
      if (next === undefined || by === undefined) return put(undefined)
      const to = formatTicks(next.to, market.tick)
      const fault = by.faultAt?.(to)
      if (fault !== undefined) {
        toast({ text: fault, tone: 'bad' })
        return put(undefined)
      }
      if (by.asks || by.warningAt(to) !== undefined) put(next)
      else send(next)
    },
    step(line, ticks) {
      const begun = begin(line, 'asked')
      if (begun) put(movedTo(begun, begun.to + ticks))
    },
    confirm() {
      const now = latest.current.move
      if (now?.stage !== 'asked' || now.to === now.from) return
      if (lineOf(now.id)?.move?.faultAt?.(formatTicks(now.to, market.tick)) === undefined) send(now)
    },
    cancel() {
      if (isSent(latest.current.move)) return
      sending.clear()
      put(undefined)
    },
  }
}

type Sends = {
  readonly latest: RefObject<{ readonly move: Move | undefined }>
  readonly put: (next: Move | undefined) => void
  readonly lineOf: (id: string) => OwnLine | undefined
}

/** Sends a move once. A refused one ends: the line goes back, and a message says why. */
function useSending({ latest, put, lineOf }: Sends): Sending<{ readonly id: string; readonly price: Decimal }> {
  const { t } = useTranslation()
  return useSendOnce({
    request: (clientId, asked: { readonly id: string; readonly price: Decimal }) => ({ clientId, ...asked, by: lineOf(asked.id)?.move }),
    call: ({ clientId, price, by }) => (by === undefined ? Promise.reject(new Error('the line is gone')) : by.send(clientId, price)),
    onAnswer(_, { id }) {
      const text = lineOf(id)?.move?.done
      if (text !== undefined) toast({ text, tone: 'good' })
      if (latest.current.move !== undefined) put({ ...latest.current.move, stage: 'done' })
    },
    onError(error) {
      if (latest.current.move === undefined) return
      // After a lost answer the same change can be sent again, and counts once.
      if (isLost(error)) return put({ ...latest.current.move, stage: 'asked' })
      put(undefined)
      toastProblem(error, t)
    },
  })
}

function isSent(move: Move | undefined): boolean {
  return move?.stage === 'sending' || move?.stage === 'done'
}

/** Ends a move that can't go on, and says why. */
function useStopped(stop: Stop | undefined, end: () => void): void {
  const { t } = useTranslation()
  const latest = useRef(end)
  latest.current = end
  useEffect(() => {
    if (stop === undefined) return
    latest.current()
    toast({ text: stopText(stop, t), tone: 'bad' })
  }, [stop, t])
}

function stopText(stop: Stop, t: Translate): string {
  return stop === 'halted' ? t('refusals.MARKET_HALTED') : t(`chart.own.stop.${stop}`)
}
