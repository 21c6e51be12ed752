import { ApiError } from '@candor/client/errors.ts'
import type { WireConversion, WireQuote, WireQuoteRequest } from '@candor/core/protocol/wire/convert.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { newClientId, queries } from '../../app/client.ts'
import { isLost } from '../../app/send-once.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { noteTime, useNow } from '../../parts/live/clock.ts'
import { convert } from './api.ts'
import { conversionKey, isUnknown, useConversion } from './data.ts'
import { type Phase, phaseOf } from './phase.ts'

export type Asked = Omit<WireQuoteRequest, 'clientId'>

export type Quoting = {
  readonly quote: WireQuote | undefined
  readonly phase: Phase
  /** By the exchange's clock. */
  readonly now: number
  readonly conversion: WireConversion | undefined
  readonly ask: (asked: Asked) => void
  /** Asks again for the same sum. */
  readonly refresh: () => void
  readonly isAsking: boolean
  readonly askError: Error | null
  readonly clearError: () => void
  readonly accept: () => void
  readonly acceptError: Error | null
  /** Forgets the quote. A sent acceptance stays valid. */
  readonly leave: () => void
}

const over: ReadonlySet<string> = new Set(['QUOTE_EXPIRED', 'QUOTE_UNKNOWN'])
const isOver = (error: unknown): boolean => error instanceof ApiError && over.has(error.code)

/** Asks for a quote, accepts it once, and follows the conversion to its end. `validMs`: how long quotes are valid by the terms. */
export function useQuote(validMs: number): Quoting {
  const [asked, setAsked] = useState<Asked>()
  // Kept while another one is asked for.
  const [quote, setQuote] = useState<WireQuote>()
  const [sent, setSent] = useState<string>()
  const asking = useMutation({
    mutationFn: (next: Asked) => convert.quote({ clientId: newClientId(), ...next }),
    onSuccess(answer) {
      // The quote was made at this moment of the exchange's clock.
      noteTime(answer.expiresAt - validMs)
      setQuote(answer)
      setSent(undefined)
    },
  })
  const accepting = useSendOnce({
    request: (_clientId, id: string) => id,
    call: convert.accept,
    onAnswer: (answer) => queries.setQueryData(conversionKey(answer.id), answer),
    onError: (error) => !isLost(error) && setSent(undefined),
  })
  const isSent = quote !== undefined && sent === quote.id
  const following = useConversion(sent, isSent && !accepting.isSending)
  const conversion = isSent ? following.data : undefined
  const state = conversion?.state
  const hasEnded = state !== undefined && state !== 'accepted'
  useEffect(() => {
    if (hasEnded) void queries.invalidateQueries({ queryKey: ['own'] })
  }, [hasEnded])
  const now = useNow(100, quote !== undefined && state === undefined)
  const known = { isOver: isOver(accepting.error), isSending: accepting.isSending, isSent, state, isUnknown: isUnknown(following.error) }
  const phase = quote === undefined ? 'open' : phaseOf({ expiresAt: quote.expiresAt, ...known }, now)
  const ask = (next: Asked): void => {
    if (asking.isPending) return
    setAsked(next)
    accepting.clear()
    asking.mutate(next)
  }
  return {
    ...{ quote, phase, now, conversion, ask },
    refresh: () => asked !== undefined && ask(asked),
    ...{ isAsking: asking.isPending, askError: asking.error, clearError: asking.reset },
    accept() {
      if (quote === undefined || phase !== 'open') return
      setSent(quote.id)
      accepting.send(quote.id)
    },
    acceptError: isOver(accepting.error) || (accepting.error !== null && isLost(accepting.error)) ? null : accepting.error,
    leave() {
      setQuote(undefined)
      asking.reset()
      accepting.clear()
    },
  }
}
