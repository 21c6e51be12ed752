import type { Side } from '@candor/core/protocol/command/spot.ts'
import { useConfig } from '../../app/config.ts'
import { usePlace } from '../../app/location.ts'
import { painted } from '../../app/painted.ts'
import { loadFurther } from '../../app/routes.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { SpotDesk } from '../../parts/spot/desk.tsx'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { useTitle } from '../../parts/ui/page.tsx'
import { ScreenSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { later } from '../../parts/ui/later.tsx'

/** Below the fold, so it is loaded after the desk. */
const panels = async () => {
  await painted()
  const [panel] = await Promise.all([import('./panel.tsx'), loadFurther('/spot')])
  return panel
}
const Panel = later(() => panels().then((panel) => panel.Panel))
const Account = later(() => panels().then((panel) => panel.Account))

/** The spot desk: a market's price, its book, the ticket, and the user's open orders. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const config = useConfig()
  const last = useSettings((settings) => settings.lastSymbol)
  const symbol = query.get('symbol') ?? last
  useTitle(t('trade.spot'))

  if (config.data === undefined) return config.error === null ? <ScreenSkeleton /> : <Failure error={config.error} />
  const markets = config.data.markets.filter((one) => one.kind === 'spot')
  const market = markets.find((one) => one.symbol === symbol) ?? (query.has('symbol') ? undefined : markets[0])
  if (market === undefined) {
    return (
      <Empty text={t('trade.noSuchMarket', { symbol })}>
        <ButtonLink to="/market" variant="soft" size="small">
          {t('trade.toMarkets')}
        </ButtonLink>
      </Empty>
    )
  }
  return (
    <SpotDesk
      key={market.symbol}
      market={market}
      config={config.data}
      side={sideOf(query)}
      panel={<Panel market={market} config={config.data} />}
      account={<Account market={market} config={config.data} />}
    />
  )
}

function sideOf(query: URLSearchParams): Side {
  return query.get('side') === 'sell' ? 'sell' : 'buy'
}
