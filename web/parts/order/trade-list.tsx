import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireFill } from '@candor/core/protocol/wire/spot.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTrades } from '../../app/stream.ts'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Empty, Failure } from '../ui/state.tsx'
import { Segmented } from '../ui/tabs.tsx'

type Fills = (query: { readonly symbol: string; readonly limit: number }) => Promise<WirePage<WireFill>>

/** Trades of a market: all, live, or the user's own. `fills`: the route for the user's own trades in perp markets. */
export function TradeList({ market, fills = client.spot.fills }: { readonly market: WireMarket; readonly fills?: Fills }) {
  const { t } = useTranslation()
  const me = useMe()
  const [whose, setWhose] = useState<'all' | 'own'>('all')
  return (
    <div className="flex flex-col gap-2 px-4 pt-3">
      {me !== undefined && (
        <Segmented
          size="small"
          label={t('trade.trades')}
          value={whose}
          onChange={setWhose}
          choices={[
            { value: 'all', label: t('orders.tradesAll') },
            { value: 'own', label: t('orders.tradesOwn') },
          ]}
        />
      )}
      {whose === 'all' || me === undefined ? <All market={market} /> : <Own market={market} fills={fills} />}
    </div>
  )
}

function All({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const { trades, error } = useTrades(market.symbol)
  if (trades === undefined) return error === undefined ? <RowsSkeleton rows={4} /> : <Failure error={error} isSmall />
  if (trades.length === 0) return <Empty text={t('orders.noTrades')} />
  return <Table market={market} rows={trades.slice(0, 30).map((trade) => ({ ...trade, side: trade.takerSide }))} />
}

function Own({ market, fills }: { readonly market: WireMarket; readonly fills: Fills }) {
  const { t } = useTranslation()
  const query = useQuery({
    queryKey: ['own', 'orders', 'fills', market.symbol],
    queryFn: () => fills({ symbol: market.symbol, limit: 30 }),
  })
  if (query.data === undefined) return query.error === null ? <RowsSkeleton rows={4} /> : <Failure error={query.error} isSmall />
  if (query.data.items.length === 0) return <Empty text={t('orders.noOwnTrades')} />
  return <Table market={market} rows={query.data.items.map((fill) => ({ ...fill, id: `${fill.tradeId}-${fill.role}` }))} />
}

type TradeRow = {
  readonly id: string
  readonly price: string
  readonly quantity: string
  readonly time: number
  readonly side: 'buy' | 'sell'
}

function Table({ market, rows }: { readonly market: WireMarket; readonly rows: readonly TradeRow[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <table className="tn w-full text-12">
      <thead>
        <tr className="text-11 text-fg3 [&>th]:pb-1 [&>th]:font-normal">
          <th className="text-start">{`${t('trade.price')} (${market.quote})`}</th>
          <th className="text-end">{`${t('trade.size')} (${market.base})`}</th>
          <th className="text-end">{t('trade.time')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="[&>td]:py-1">
            <td className={row.side === 'buy' ? 'text-up' : 'text-down'}>
              {format.exact(row.price)}
              <span className="sr-only"> {row.side === 'buy' ? t('trade.buy') : t('trade.sell')}</span>
            </td>
            <td className="text-end">{format.exact(row.quantity)}</td>
            <td className="text-end text-fg3" title={format.utc(row.time)}>
              {format.clock(row.time)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
