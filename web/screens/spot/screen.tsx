import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useConfig } from '../../app/config.ts'
import { usePlace } from '../../app/location.ts'
import { loadTickers } from '../../app/quotes.ts'
import { queries } from '../../app/client.ts'
import { set, useSettings } from '../../app/settings.ts'
import { Empty, Failure } from '../../parts/state.tsx'
import { ScreenSkeleton } from '../../parts/skeleton.tsx'
import { Pull } from '../../parts/pull.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { useTitle } from '../../parts/page.tsx'
import { Desks } from '../deal/desks.tsx'
import { Book } from './book.tsx'
import { MiniChart } from './mini-chart.tsx'
import { PairHeader } from './pair-header.tsx'
import { Panel } from './panel.tsx'
import { Ticket } from './ticket.tsx'
import { useTicket } from './use-ticket.ts'

/** The spot desk: a market's price, its book, the ticket, and what the person has open there. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const config = useConfig()
  const last = useSettings((settings) => settings.lastSymbol)
  const symbol = query.get('symbol') ?? last
  useTitle(t('trade.spot'))

  if (config.data === undefined) return config.error === null ? <ScreenSkeleton /> : <Failure error={config.error} />
  const market = config.data.markets.find((one) => one.symbol === symbol) ?? (query.has('symbol') ? undefined : config.data.markets[0])
  if (market === undefined) {
    return (
      <Empty text={t('trade.noSuchMarket', { symbol })}>
        <ButtonLink to="/market" variant="soft" size="small">
          {t('trade.toMarkets')}
        </ButtonLink>
      </Empty>
    )
  }
  if (market.symbol !== last) queueMicrotask(() => set({ lastSymbol: market.symbol, lastDesk: '/spot' }))
  return <Desk key={market.symbol} market={market} config={config.data} side={query.get('side') === 'sell' ? 'sell' : 'buy'} />
}

function Desk({ market, config, side }: { readonly market: WireMarket; readonly config: WireConfig; readonly side: Side }) {
  const ticket = useTicket(market, config, side)
  const [hasChart, setHasChart] = useState(false)
  return (
    <Pull onRefresh={() => Promise.all([loadTickers(), queries.invalidateQueries({ queryKey: ['own'] })])}>
      <Desks current="/spot" />
      <PairHeader market={market} hasChart={hasChart} onChart={() => setHasChart(!hasChart)} />
      {hasChart && <MiniChart market={market} />}
      <div className="@container px-4 pt-3">
        <div className="grid gap-3 @min-[17rem]:grid-cols-[1.42fr_1fr]">
          <Ticket ticket={ticket} />
          <Book market={market} onTake={ticket.take} />
        </div>
      </div>
      <Panel market={market} config={config} />
    </Pull>
  )
}
