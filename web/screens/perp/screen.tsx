import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useEffect } from 'react'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { usePlace } from '../../app/location.ts'
import { painted } from '../../app/painted.ts'
import { loadFurther } from '../../app/routes.ts'
import { set, useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { useTitle } from '../../parts/ui/page.tsx'
import { useOwnPerpPrices } from '../../parts/perp/account.ts'
import { useMark } from '../../parts/perp/marks.ts'
import { ScreenSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { later } from '../../parts/ui/later.tsx'
import { Desks } from '../../parts/desk/desks.tsx'
import { Book } from '../../parts/desk/book.tsx'
import { DeskFrame } from '../../parts/frame/desk-frame.tsx'
import { type Taker, useTaker, useTaking } from '../../parts/desk/taker.ts'
import { Header } from './header.tsx'
import { Ticket } from './ticket.tsx'
import { useTicket } from './use-ticket.ts'

/** Below the fold, so it is loaded after the desk. */
const panels = async () => {
  await painted()
  const [panel] = await Promise.all([import('./panel.tsx'), loadFurther('/contract')])
  return panel
}
const Panel = later(() => panels().then((panel) => panel.Panel))
const Account = later(() => panels().then((panel) => panel.Account))

/** The perp desk: a market's price and funding, its book, the ticket, and the user's positions and orders. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const config = useConfig()
  const last = useSettings((settings) => settings.lastPerp)
  const asked = query.get('symbol')
  useTitle(t('trade.futures'))

  if (config.data === undefined) return config.error === null ? <ScreenSkeleton /> : <Failure error={config.error} />
  const markets = config.data.markets.filter((one) => one.kind === 'perp')
  // A link with a spot pair opens the perp market of that coin: `/deal` passes the symbol on unchanged.
  const spot = config.data.markets.find((one) => one.symbol === asked)
  const market =
    asked === null
      ? (markets.find((one) => one.symbol === last) ?? markets[0])
      : (markets.find((one) => one.symbol === asked) ?? markets.find((one) => one.base === spot?.base && one.quote === spot.quote))
  if (market === undefined) {
    return (
      <>
        <Desks current="/contract" />
        <Empty text={asked === null ? t('perp.noMarkets') : t('trade.noSuchMarket', { symbol: asked })}>
          <ButtonLink to="/market?kind=perp" variant="soft" size="small">
            {t('trade.toMarkets')}
          </ButtonLink>
        </Empty>
      </>
    )
  }
  return <Desk key={market.symbol} market={market} config={config.data} />
}

function Desk({ market, config }: { readonly market: WireMarket; readonly config: WireConfig }) {
  const { taker, onTake } = useTaker()
  const own = useOwnPerpPrices(market.symbol)
  useEffect(() => set({ lastPerp: market.symbol, lastDesk: '/contract' }), [market.symbol])
  return (
    <DeskFrame
      desk="perp"
      market={market}
      header={(chart) => <Header market={market} {...chart} />}
      ticket={<LiveTicket market={market} config={config} taker={taker} />}
      book={<Book market={market} own={own} reference={<MarkLine market={market} />} onTake={onTake} />}
      own={own}
      panel={<Panel market={market} config={config} />}
      account={<Account market={market} config={config} />}
    />
  )
}

function LiveTicket({ market, config, taker }: { readonly market: WireMarket; readonly config: WireConfig; readonly taker: Taker }) {
  const ticket = useTicket(market, config)
  useTaking(taker, ticket.take)
  return <Ticket ticket={ticket} />
}

/** The mark price, below the last price in the book. */
function MarkLine({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const mark = useMark(market.symbol)
  return <>{mark === undefined ? '–' : t('perp.markIs', { price: format.exact(mark.mark) })}</>
}
