import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { useLiveIndex } from '../../parts/live/live-index.ts'

/** The live index, which decides margin levels and liquidations. It fades while it does not tick or too few sources agree. */
export function IndexLine({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { price, isGood, isLive } = useLiveIndex(market.symbol)
  return (
    <span className={isGood && (isLive || price === undefined) ? '' : 'opacity-60'}>
      {t('trade.index', { value: price === undefined ? '–' : format.number(price, market.priceDigits, market.priceDigits) })}
    </span>
  )
}
