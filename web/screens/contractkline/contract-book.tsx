import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { TradeList } from '../../parts/order/trade-list.tsx'
import { useOwnPerpPrices } from '../../parts/perp/account.ts'
import { perp } from '../../parts/perp/api.ts'
import { useMark } from '../../parts/perp/marks.ts'
import { Book } from '../spot/book.tsx'

/** A contract's book with the person's orders marked, and the mark price between the sides. */
export function ContractBook({ market, onTake }: { readonly market: WireMarket; readonly onTake: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const own = useOwnPerpPrices(market.symbol)
  const mark = useMark(market.symbol)
  const reference = mark === undefined ? '–' : t('perp.markIs', { price: format.exact(mark.mark) })
  return <Book market={market} own={own} reference={reference} onTake={onTake} />
}

export function ContractTrades({ market }: { readonly market: WireMarket }) {
  return <TradeList market={market} fills={perp.fills} />
}
