import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { TradeList } from '../../parts/order/trade-list.tsx'
import { useOwnPerpPrices } from '../../parts/perp/account.ts'
import { perp } from '../../parts/perp/api.ts'
import { useMark } from '../../parts/perp/marks.ts'
import { Book } from '../../parts/desk/book.tsx'

/** A perp market's book with the user's orders marked, and the mark price between the sides. */
export function PerpBook({ market, rows, onTake }: { readonly market: WireMarket; readonly rows: number; readonly onTake: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const own = useOwnPerpPrices(market.symbol)
  const mark = useMark(market.symbol)
  const reference = mark === undefined ? '–' : t('perp.markIs', { price: format.exact(mark.mark) })
  return <Book market={market} own={own} rows={rows} reference={reference} onTake={onTake} />
}

export function PerpTrades({ market }: { readonly market: WireMarket }) {
  return <TradeList market={market} fills={perp.fills} />
}
