import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import type { WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { useMarkets } from '../../../app/config.ts'
import { navigate } from '../../../app/location.ts'
import { useTranslation } from '../../../app/translate.ts'
import { addStyles } from '../../../app/wide/add-styles.ts'
import { useKeysOf } from '../../../parts/shortcuts/use-panel-keys.ts'
import { loadTerminal } from '../../../parts/terminal/terminal.tsx'
import { later } from '../../../parts/ui/later.tsx'
import { Skeleton } from '../../../parts/ui/skeleton.tsx'
import { PairsSheet } from '../later.ts'
import type { StakeFieldProps } from '../ticket.tsx'
import type { Lists } from '../panel.tsx'
import type { Desk } from '../use-desk.ts'
import { Account } from './account.tsx'
import css from './second.css?inline'
import { StakeField } from './stake-field.tsx'
import { RunningTable, SettledTable } from './tables.tsx'

addStyles(css)

const Terminal = later(loadTerminal)
const tables: Lists = { Running: RunningTable, Settled: SettledTable }

/** The desk in the panes of a wide window. Its parts come from the screen, which phones load without this file. */
export function WideDesk({
  desk,
  config,
  terms,
  source,
  figure,
  links,
  chart,
  ticket,
  panel,
}: {
  readonly desk: Desk
  readonly config: WireConfig
  readonly terms: WireOptionTerms
  /** Of the index; undefined while no venue answers. */
  readonly source: string | undefined
  /** The current index, with a class. */
  readonly figure: (className: string) => ReactNode
  /** Buttons, with a class. */
  readonly links: (className: string) => ReactNode
  readonly chart: ReactNode
  /** With a field for the stake. */
  readonly ticket: (Field: ComponentType<StakeFieldProps>) => ReactNode
  /** The orders, as the lists show them. */
  readonly panel: (lists: Lists) => ReactNode
}) {
  const { t } = useTranslation()
  const { market } = desk
  const offered = useMarkets().filter(({ hasOption }) => hasOption)
  useKeysOf(offered, market, (symbol) => navigate(`/Second?symbol=${symbol}`, { replace: true }))
  return (
    <Suspense fallback={<Skeleton className="m-4 flex-1 rounded-card" />}>
      <Terminal
        desk="option"
        market={market}
        ticket={ticket(StakeField)}
        chart={chart}
        line={{
          price: figure('tm-last'),
          facts: source !== undefined && (
            <dl>
              <div>
                <dt>{t('option.index')}</dt>
                <dd>{source}</dd>
              </div>
            </dl>
          ),
          actions: links('tm-icon'),
          markets: (onClose) => <PairsSheet current={market.symbol} terms={terms} config={config} onClose={onClose} />,
        }}
        panel={panel(tables)}
        account={<Account desk={desk} />}
      />
    </Suspense>
  )
}
