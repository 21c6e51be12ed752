import { OfflineError } from '@candor/client/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { newClientId, queries } from '../../app/client.ts'
import { tick } from '../../app/haptics.ts'
import { toast } from '../ui/toast.tsx'
import { useOnce } from '../once.ts'

/**
 * Sends a movement of money that counts once: two taps are one, and after a lost answer the same id goes out again.
 * `renew` whenever what is to be sent changes.
 */
export function useSend<Answer>(
  call: (clientId: string) => Promise<Answer>,
  said: (answer: Answer) => string,
  onDone: (answer: Answer) => void,
): { readonly run: () => void; readonly isBusy: boolean; readonly error: unknown; readonly renew: () => void } {
  const clientId = useRef(newClientId())
  const renew = (): void => {
    clientId.current = newClientId()
  }
  const mutation = useMutation({
    mutationFn: () => call(clientId.current),
    onSuccess: (answer) => {
      tick(12)
      toast({ text: said(answer), tone: 'good' })
      renew()
      onDone(answer)
    },
    onError: (error) => {
      if (!(error instanceof OfflineError)) renew()
    },
    onSettled: () =>
      Promise.all([queries.invalidateQueries({ queryKey: ['own'] }), queries.invalidateQueries({ queryKey: ['margin', 'pools'] })]),
  })
  return { run: useOnce(mutation), isBusy: mutation.isPending, error: mutation.error, renew }
}
