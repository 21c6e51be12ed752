import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { newClientId, queries } from './client.ts'
import { tick } from './haptics.ts'
import { SendOnce } from './send-once.ts'

export type Sending<Asked> = {
  readonly send: (asked: Asked) => void
  /** The request on its way. */
  readonly sending: Asked | undefined
  readonly isSending: boolean
  /** Error of the last attempt, until the next one or `clear`. */
  readonly error: Error | null
  readonly clear: () => void
}

/** Sends requests that move money, each once: see `send-once.ts`. Afterwards balances and orders are read again, whatever the result. */
export function useSendOnce<Asked extends object | string, Request, Answer>(options: {
  readonly request: (clientId: string, asked: Asked) => Request
  readonly call: (request: Request) => Promise<Answer>
  readonly onAnswer: (answer: Answer, asked: Asked) => unknown
  readonly onError?: (error: Error) => void
  /** Prefix of other query keys that become stale. */
  readonly alsoOld?: readonly string[]
}): Sending<Asked> {
  const [once] = useState(() => new SendOnce<Asked, Request>(newClientId))
  const { mutate, isPending, variables, error, reset } = useMutation<Answer, Error, { readonly asked: Asked; readonly request: Request }>({
    mutationFn: async ({ request }) => {
      try {
        const answer = await options.call(request)
        once.end()
        return answer
      } catch (fault) {
        once.end(fault)
        throw fault
      }
    },
    onSuccess: (answer, { asked }) => {
      tick(12)
      options.onAnswer(answer, asked)
    },
    onError: (fault) => options.onError?.(fault),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['own'] })
      if (options.alsoOld !== undefined) void queries.invalidateQueries({ queryKey: options.alsoOld })
    },
  })
  return {
    send(asked) {
      const request = once.begin(asked, options.request)
      if (request !== undefined) mutate({ asked, request })
    },
    sending: isPending ? variables.asked : undefined,
    isSending: isPending,
    error,
    clear: reset,
  }
}
