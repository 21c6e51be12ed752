import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { Suspense } from 'react'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { FaucetButton } from '../../parts/funds/faucet-button.tsx'
import { later } from '../../parts/ui/later.tsx'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { useOpenOrders } from '../../parts/order/own-orders.ts'
import type { Holding } from './holdings.ts'

const CostRows = later(async () => {
  const [module] = await Promise.all([import('../../parts/funds/cost-rows.tsx'), loadArea('costs')])
  return module.CostRows
})

/** Details of a coin: available and held amounts, the orders that hold them, and actions. */
export function CoinSheet({
  holding,
  config,
  onClose,
}: {
  readonly holding: Holding
  readonly config: WireConfig
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const markets = config.markets.filter((market) => market.base === holding.asset || market.quote === holding.asset)
  const binding = (useOpenOrders().data ?? []).filter((order) => {
    const market = config.markets.find((one) => one.symbol === order.symbol)
    return (order.side === 'buy' ? market?.quote : market?.base) === holding.asset
  })
  const market = markets.find((one) => one.base === holding.asset) ?? markets[0]
  const coin = config.assets.find(({ symbol }) => symbol === holding.asset)
  return (
    <Sheet isOpen onClose={onClose} title={`${holding.asset} · ${holding.name}`}>
      <dl>
        <SummaryRow label={t('assets.available')}>
          <Amount value={holding.available} asset={holding.asset} />
        </SummaryRow>
        <SummaryRow label={t('assets.held')}>
          <Amount value={holding.held} asset={holding.asset} />
        </SummaryRow>
        {binding.length > 0 && <SummaryRow label={t('assets.heldBy')}>{t('assets.heldByOrders', { count: binding.length })}</SummaryRow>}
        {holding.worth !== undefined && (
          <SummaryRow label={t('assets.worth')}>
            <Amount value={holding.worth.toFixed(2)} asset="USDT" />
          </SummaryRow>
        )}
      </dl>
      {coin !== undefined && (
        <Suspense>
          <CostRows asset={coin} />
        </Suspense>
      )}
      <div className="flex flex-wrap gap-2 pt-4">
        {config.faucet.some((one) => one.asset === holding.asset) && <FaucetButton asset={holding.asset} />}
        {market !== undefined && (
          <ButtonLink to={`/spot?symbol=${market.symbol}`} size="medium" className="flex-1">
            {t('assets.trade')}
          </ButtonLink>
        )}
        <ButtonLink to={`/exchange?from=${holding.asset}`} variant="soft" size="medium" className="flex-1">
          {t('assets.convert')}
        </ButtonLink>
        <ButtonLink to={`/propertyRecord?asset=${holding.asset}`} variant="soft" size="medium" className="flex-1">
          {t('assets.records')}
        </ButtonLink>
      </div>
    </Sheet>
  )
}
