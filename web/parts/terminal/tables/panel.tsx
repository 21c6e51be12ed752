import { type TerminalColumn, terminalColumns, type TerminalTable } from '@candor/core/protocol/wire/own/terminal-columns.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { DeskName } from '@candor/core/protocol/wire/own/preferences.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { addStyles } from '../../../app/wide/add-styles.ts'
import { useTranslation } from '../../../app/translate.ts'
import { useKeptFocus } from '../../order/kept-focus.ts'
import { DeskTour } from '../../tour/later.tsx'
import { Chip, Tabs } from '../../ui/tabs.tsx'
import { ColumnsButton } from './columns-button.tsx'
import css from './tables.css?inline'

addStyles(css)

export type PanelTab = {
  readonly value: string
  readonly label: string
  readonly count?: number | undefined
  /** The table in it, whose columns can be chosen. */
  readonly table?: TerminalTable
  readonly columns?: readonly TerminalColumn[]
  /** Beside the tabs while this one is chosen. */
  readonly tools?: ReactNode
  readonly content: ReactNode
}

/** The lists of a desk in a pane: tabs, and in the same line what belongs to the chosen list. */
export function TablePanel({
  desk,
  tabs,
  asked,
}: {
  readonly desk: DeskName
  readonly tabs: readonly PanelTab[]
  /** The tab that an address names. */
  readonly asked?: string | undefined
}) {
  const { t } = useTranslation()
  const section = useKeptFocus()
  const [value, setValue] = useState(asked ?? tabs[0]?.value ?? '')
  useEffect(() => {
    if (asked !== undefined) setValue(asked)
  }, [asked])
  const tab = tabs.find((one) => one.value === value) ?? tabs[0]
  if (tab === undefined) return null
  return (
    <section ref={section} className="flex flex-col">
      <div className="tm-head tb-head">
        <Tabs
          label={t('orders.panel')}
          value={tab.value}
          onChange={setValue}
          choices={tabs.map((one) => ({ value: one.value, label: one.label, count: one.count }))}
        />
        {tab.tools}
        {tab.table !== undefined && <ColumnsButton table={tab.table} columns={tab.columns ?? terminalColumns[tab.table]} />}
        <DeskTour desk={desk} />
      </div>
      <div role="tabpanel" aria-label={tab.label}>
        {tab.content}
      </div>
    </section>
  )
}

/** Shows the list of one market or of all. */
export function OnlyHere({
  market,
  isOn,
  onChange,
}: {
  readonly market: WireMarket
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}) {
  const { t } = useTranslation()
  return (
    <Chip isOn={isOn} onClick={() => onChange(!isOn)}>
      {t('orders.onlyPair', { pair: `${market.base}/${market.quote}` })}
    </Chip>
  )
}

/** Leads to the whole list. */
export function AllLink({ to }: { readonly to: string }) {
  const { t } = useTranslation()
  return (
    <a href={`#${to}`} className="tb-link">
      {t('terminal.all')}
    </a>
  )
}
