import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { queries } from '../../app/client.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { toast } from '../ui/toast.tsx'

/**
 * Cancels orders, and offers in a message to place each again. A second call for an order while the first request is on its way sends
 * nothing.
 */
export function useCancel(
  cancel: (order: WireOrder) => Promise<WireOrder>,
): readonly [send: (order: WireOrder) => void, isSending: boolean] {
  const { t } = useTranslation()
  const onTheirWay = useRef(new Set<string>())
  const { mutate, isPending } = useMutation({
    mutationFn: cancel,
    async onSuccess(ended, order) {
      const again = await import('./again.ts').catch(() => undefined)
      if (again === undefined) toast({ text: t('orders.cancelled') })
      else again.announceCancelled(order, ended, t)
    },
    onError: (error) => toast({ text: problemOf(error, t).text, tone: 'bad' }),
    onSettled: (_ended, _error, order) => {
      onTheirWay.current.delete(order.id)
      return queries.invalidateQueries({ queryKey: ['own'] })
    },
  })
  const send = useCallback(
    (order: WireOrder): void => {
      if (onTheirWay.current.has(order.id)) return
      onTheirWay.current.add(order.id)
      mutate(order)
    },
    [mutate],
  )
  return [send, isPending]
}
