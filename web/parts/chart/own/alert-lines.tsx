import type { WireAlert } from '@candor/core/protocol/wire/own/alerts.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from '../../../app/client.ts'
import { quotesNow } from '../../../app/quotes.ts'
import { useMe } from '../../../app/session.ts'
import { useTranslation } from '../../../app/translate.ts'
import { alerts, alertsQuery } from '../../market/alerts-api.ts'
import { toast, toastProblem } from '../../ui/toast.tsx'
import type { LineProps, OwnLine } from './line.ts'

const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: alertsQuery })

/** Lines of the price alerts of a market that are still watching. */
export function useAlertLines({ market }: LineProps): readonly OwnLine[] {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const list = useQuery({ queryKey: alertsQuery, queryFn: () => alerts.alerts(), enabled: !isVisitor, staleTime: 30_000 }).data?.alerts
  const pair = `${market.base}/${market.quote}`
  const restore = useMutation({
    mutationFn: ({ id: _id, state: _state, createdAt: _at, count: _count, last: _last, ...terms }: WireAlert) =>
      alerts.createAlert({ ...terms, isOn: true, isReachedFine: true }),
    onSettled: refresh,
    onError: (error) => toastProblem(error, t),
  }).mutate
  const remove = useMutation({
    mutationFn: (alert: WireAlert) => alerts.deleteAlert(alert.id),
    onSuccess: (_, alert) => toast({ text: t('alerts.deleted', { pair }), action: { text: t('alerts.undo'), run: () => restore(alert) } }),
    onSettled: refresh,
    onError: (error) => toastProblem(error, t),
  }).mutate
  return useMemo(
    () =>
      (list ?? []).flatMap((alert): readonly OwnLine[] => {
        const isWatching = alert.state === 'armed' || alert.state === 'waiting'
        if (alert.symbol !== market.symbol || !isWatching || (alert.condition !== 'above' && alert.condition !== 'below')) return []
        return [
          {
            id: `alert-${alert.id}`,
            price: alert.level,
            tone: 'plain',
            isDashed: true,
            name: t('chart.own.alert'),
            ...(alert.note === '' ? {} : { quantity: alert.note }),
            remove: { label: t('alerts.delete'), run: () => remove(alert) },
            move: {
              version: `${alert.state} ${alert.level} ${alert.condition}`,
              outcomeAt: () => null,
              warningAt: () => undefined,
              asks: false,
              needsMarket: false,
              send: (_clientId, level) => {
                const { id, state: _state, createdAt: _at, count: _count, last: _last, ...terms } = alert
                return alerts.replaceAlert(id, { ...terms, level, condition: conditionAt(alert, level), isOn: true, isReachedFine: true })
              },
              done: t('alerts.changed'),
            },
          },
        ]
      }),
    [list, market, remove, t],
  )
}

/** An alert moved to the other side of the price waits for the price from there. */
function conditionAt({ symbol, source, condition }: WireAlert, level: string): 'above' | 'below' {
  const last = source === 'last' ? quotesNow().get(symbol)?.price : undefined
  if (last === undefined) return condition === 'below' ? 'below' : 'above'
  return Number(level) >= Number(last) ? 'above' : 'below'
}
