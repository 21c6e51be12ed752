import type { WireAlert } from '@candor/core/protocol/wire/own/alerts.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { BellRing, Pencil, Plus, Settings2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { Switch } from '../../parts/fields/field.tsx'
import { Button, IconButton } from '../../parts/ui/button.tsx'
import { Price } from '../../parts/ui/figure.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { toast, toastProblem } from '../../parts/ui/toast.tsx'
import { AlertSheet } from './alert-sheet.tsx'
import { alerts, alertsQuery } from '../../parts/market/alerts-api.ts'
import { formOf, requestOf } from './form.ts'
import { useWords } from './words.ts'

/** The user's price alerts: create, change, pause and delete. `?symbol=` opens a new one on that market. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const isVisitor = useMe() === undefined
  const lastSymbol = useSettings((settings) => settings.lastSymbol)
  const asked = query.get('symbol')
  const list = useQuery({ queryKey: alertsQuery, queryFn: () => alerts.alerts(), enabled: !isVisitor })
  const [opened, setOpened] = useState<WireAlert | 'new' | undefined>(asked === null ? undefined : 'new')
  const own = list.data?.alerts ?? []
  const isFull = list.data !== undefined && own.length >= list.data.max
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: alertsQuery })}>
      <PageHeader title={t('alerts.title')} fallback="/market">
        <a href="#/notices" aria-label={t('alerts.channels')} className="press flex size-11 items-center justify-center text-fg2">
          <Settings2 size={20} strokeWidth={1.75} aria-hidden />
        </a>
      </PageHeader>
      <p className="px-4 pb-3 text-13 text-fg2">{t('alerts.lead')}</p>
      {isVisitor && (
        <LoginFirst text={t('alerts.loginFirst')} next={asked === null ? '/alerts' : encodeURIComponent(`/alerts?symbol=${asked}`)} />
      )}
      {!isVisitor && list.data === undefined && (list.error === null ? <RowsSkeleton rows={3} /> : <Failure error={list.error} />)}
      {list.data !== undefined && (
        <div className="flex flex-col gap-3 px-4 pb-8">
          {own.length === 0 && <Empty text={t('alerts.empty')} icon={<BellRing size={22} strokeWidth={1.75} />} />}
          {own.map((alert) => (
            <AlertCard key={alert.id} alert={alert} onOpen={() => setOpened(alert)} />
          ))}
          <Button isWide disabled={isFull} onClick={() => setOpened('new')}>
            <Plus size={18} strokeWidth={2} aria-hidden />
            {t('alerts.new')}
          </Button>
          <p className="text-12 text-fg3">{t('alerts.count', { count: own.length, max: list.data.max })}</p>
        </div>
      )}
      {!isVisitor && opened !== undefined && (
        <AlertSheet
          alert={opened === 'new' ? undefined : opened}
          symbol={opened === 'new' ? (asked ?? lastSymbol) : opened.symbol}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Pull>
  )
}

function AlertCard({ alert, onOpen }: { readonly alert: WireAlert; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const words = useWords()
  const { id, symbol, state, note, rearm, last, condition } = alert
  const isOn = state === 'armed' || state === 'waiting'
  const pair = words.pairOf(symbol)
  const again = (): Promise<unknown> => queries.invalidateQueries({ queryKey: alertsQuery })
  const failed = (error: Error): void => toastProblem(error, t)
  const turn = useMutation({ mutationFn: () => alerts.switchAlert(id, !isOn), onSettled: again, onError: failed })
  const restore = useMutation({
    mutationFn: () => alerts.createAlert(requestOf(formOf(alert), { isOn, isReachedFine: true })),
    onSettled: again,
    onError: failed,
  })
  const remove = useMutation({
    mutationFn: () => alerts.deleteAlert(id),
    onSuccess: () => toast({ text: t('alerts.deleted', { pair }), action: { text: t('alerts.undo'), run: () => restore.mutate() } }),
    onSettled: again,
    onError: failed,
  })
  return (
    <section aria-label={`${pair}, ${words.lineOf(alert)}`} className="flex flex-col gap-1 rounded-card bg-s1 py-3 ps-4 pe-2">
      <div className="flex items-center gap-2 pe-2">
        <h2 className="min-w-0 flex-1 truncate text-15 font-semibold">{pair}</h2>
        <Price symbol={symbol} className="text-13 text-fg2" />
        <Switch isOn={isOn} onChange={() => turn.isPending || turn.mutate()} label={t('alerts.watch')} />
      </div>
      <p className={`tn text-15 ${isOn ? '' : 'text-fg3'}`}>{words.lineOf(alert)}</p>
      {note !== '' && <p className="text-13 break-words text-fg2">{note}</p>}
      <div className="flex items-center gap-1">
        <p className="min-w-0 flex-1 text-12 text-fg3">
          {words.states[state]}
          {rearm !== undefined && ` · ${t('alerts.eachTime', { distance: format.percent(rearm) })}`}
          {last !== undefined && ` · ${t('alerts.lastTime', { time: format.ago(last.at), value: words.levelOf(condition, last.value) })}`}
        </p>
        <IconButton label={t('alerts.edit')} onClick={onOpen}>
          <Pencil size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton label={t('alerts.delete')} onClick={() => remove.isPending || remove.mutate()}>
          <Trash2 size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
    </section>
  )
}
