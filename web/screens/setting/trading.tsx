import {
  askedActions,
  type AskedAction,
  type ChartDesk,
  chartDesks,
  type DeskName,
  deskNames,
} from '@candor/core/protocol/wire/own/preferences.ts'
import { ChevronDown } from 'lucide-react'
import { useFormats } from '../../app/format.ts'
import { chartsOf } from '../../app/preferences/layout.ts'
import { toggled } from '../../app/preferences/ordering.ts'
import { useTranslation } from '../../app/translate.ts'
import { unaskedLeverageMax, unaskedReachPpmMax } from '../../parts/desk/asks.ts'
import { Switch } from '../../parts/fields/field.tsx'
import { Row, Rows } from '../../parts/ui/row.tsx'
import { Chip, Segmented } from '../../parts/ui/tabs.tsx'
import { type KeptLayout, useKeptLayout } from './use-kept-layout.ts'

/** How the trading desks look, and what is confirmed before it is sent. */
export function Trading() {
  const kept = useKeptLayout()
  return (
    <>
      <Desk {...kept} />
      <Confirmations {...kept} />
    </>
  )
}

/** The desk of the trade tab, the side of the book, and the small chart. */
function Desk({ layout, change, isAccounts }: KeptLayout) {
  const { t } = useTranslation()
  const desks: Readonly<Record<DeskName, string>> = {
    spot: t('trade.spot'),
    perp: t('trade.futures'),
    margin: t('trade.margin'),
    option: t('trade.optionsDesk'),
  }
  const charts = chartsOf(layout, innerHeight)
  const charted = (desk: ChartDesk) => (
    <Chip key={desk} isOn={charts.includes(desk)} onClick={() => change((now) => ({ charts: toggled(chartsOf(now, innerHeight), desk) }))}>
      {desks[desk]}
    </Chip>
  )
  return (
    <Rows title={t('setting.trading')}>
      <label className="relative flex min-h-13 items-center gap-3 px-4">
        <span className="flex-1 text-15">{t('setting.firstDesk')}</span>
        <select
          value={layout.desk ?? ''}
          onChange={(event) => change(() => ({ desk: deskNames.find((name) => name === event.target.value) ?? null }))}
          className="min-h-11 max-w-[60%] min-w-0 appearance-none bg-transparent pe-6 text-end text-13 text-ellipsis text-fg2"
        >
          {(['', ...deskNames] as const).map((name) => (
            <option key={name} value={name} className="bg-s1 text-fg">
              {name === '' ? t('setting.lastDesk') : desks[name]}
            </option>
          ))}
        </select>
        <ChevronDown size={16} strokeWidth={1.75} aria-hidden className="pointer-events-none absolute end-4 text-fg2" />
      </label>
      <Row title={t('trade.book')}>
        <div className="w-36">
          <Segmented
            size="small"
            label={t('trade.book')}
            value={layout.book}
            onChange={(book) => change(() => ({ book }))}
            choices={[
              { value: 'left', label: t('setting.left') },
              { value: 'right', label: t('setting.right') },
            ]}
          />
        </div>
      </Row>
      <div role="group" aria-label={t('trade.miniChart')} className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
        <span className="flex-1 text-15">{t('trade.miniChart')}</span>
        <span className="flex flex-wrap gap-1.5">{chartDesks.map(charted)}</span>
      </div>
      <p className="px-4 py-2.5 text-12 text-fg3">{isAccounts ? t('setting.withAccount') : t('setting.onDevice')}</p>
    </Rows>
  )
}

/** One switch for each kind of order, and what is confirmed whatever they say. */
function Confirmations({ layout, change }: KeptLayout) {
  const { t } = useTranslation()
  const format = useFormats()
  const title = (action: AskedAction): string =>
    action === 'option' ? t('trade.optionsDesk') : action === 'cancel-all' ? t('setting.confirmCancelAll') : t(`trade.kind.${action}`)
  return (
    <Rows title={t('setting.confirmations')}>
      {askedActions.map((action) => (
        <Row key={action} title={title(action)}>
          <Switch
            label={title(action)}
            isOn={!layout.unasked.includes(action)}
            onChange={() => change((now) => ({ unasked: toggled(now.unasked, action) }))}
          />
        </Row>
      ))}
      <p className="px-4 py-2.5 text-12 text-fg3">
        {t('setting.alwaysConfirmed', {
          leverage: format.number(String(unaskedLeverageMax)),
          percent: format.ppm(unaskedReachPpmMax),
        })}
      </p>
    </Rows>
  )
}
