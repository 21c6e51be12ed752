import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { queries } from '../../app/client.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { toast } from '../ui/toast.tsx'

/** A product's route that cancels all open orders, or those of one market. */
export type CancelAll = (symbol?: string) => Promise<{ readonly cancelled: number }>

/** Cancels all open orders of a product, or those of one market, and says how many. */
export function useCancelAll(send: CancelAll, onSettled?: () => void): UseMutationResult<unknown, Error, string | undefined> {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (symbol: string | undefined) => send(symbol),
    onSuccess: ({ cancelled }) => toast({ text: t('orders.cancelledCount', { count: cancelled }) }),
    onError: (error) => toast({ text: problemOf(error, t).text, tone: 'bad' }),
    onSettled() {
      onSettled?.()
      void queries.invalidateQueries({ queryKey: ['own'] })
    },
  })
}
