import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { Arrange } from '../../parts/ui/arrange.tsx'

/** The favourites in the order in which their owner drags them. */
export function ArrangeFavourites({
  markets,
  onMove,
}: {
  readonly markets: readonly WireMarket[]
  readonly onMove: (symbol: string, by: number) => void
}) {
  const { t } = useTranslation()
  const nameOf = ({ kind, base, quote }: WireMarket): string => (kind === 'perp' ? `${base} ${t('trade.perp')}` : `${base}/${quote}`)
  return (
    <Arrange
      label={t('markets.favourites')}
      items={markets.map((market) => ({ id: market.symbol, name: nameOf(market) }))}
      onMove={onMove}
      render={({ id, name }) => (
        <span className="flex min-w-0 flex-1 items-center gap-3">
          <Coin asset={markets.find(({ symbol }) => symbol === id)?.base ?? ''} size={28} />
          <span className="truncate text-15 font-semibold">{name}</span>
        </span>
      )}
    />
  )
}
