import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { TradeList } from '../order/trade-list.tsx'
import { later } from '../ui/later.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { PaneHead } from './pane.tsx'

const PerpTrades = later(async () => {
  const { perp } = await import('../perp/api.ts')
  return ({ market }: { readonly market: WireMarket }) => <TradeList market={market} fills={perp.fills} />
})

/** The trades of the market, and the user's own. */
export function TradesPane({ market, onHide }: { readonly market: WireMarket; readonly onHide: (() => void) | undefined }) {
  const { t } = useTranslation()
  const name = t('terminal.pane.trades')
  return (
    <>
      <PaneHead name={name} onHide={onHide}>
        <h2>{name}</h2>
      </PaneHead>
      <div className="tm-scroll" tabIndex={0} role="group" aria-label={name}>
        {market.kind === 'perp' ? (
          <Suspense fallback={<RowsSkeleton rows={4} />}>
            <PerpTrades market={market} />
          </Suspense>
        ) : (
          <TradeList market={market} />
        )}
      </div>
    </>
  )
}
