import { parseUnits, fractionDigits } from '@candor/core/money/units.ts'
import { decodeEvents, eventCodes, eventLength } from '@candor/core/protocol/codec/event.ts'
import { opcodeOf, type Records } from '@candor/core/protocol/codec/records.ts'
import type { Traded } from '@candor/core/protocol/event/index.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'
import type pg from 'pg'

/** Sums over the trades of one market and taker side, in which each fee has one asset. Exact. */
type Sums = {
  count: bigint
  ids: bigint
  orders: bigint
  users: bigint
  quantity: bigint
  quote: bigint
  makerFee: bigint
  takerFee: bigint
}

/** By market symbol and taker side. Any single changed, missing or extra row changes one of the sums. */
export type TradeTable = ReadonlyMap<string, { readonly [K in keyof Sums]: string }>

/** Adds up the trades of the journal during the replay. */
export class TradeSums {
  readonly #sums = new Map<string, Sums>()

  add(events: Records): void {
    for (let at = 0; at < events.length; ) {
      const length = eventLength(events.data, at, events.length)
      if (opcodeOf(events.data[at] as number) === eventCodes['traded']) {
        for (const event of decodeEvents(events.data, at, at + length)) this.#trade(event as Traded)
      }
      at += length
    }
  }

  /** Names of the markets and sides in which the table differs. */
  differences(table: TradeTable, assets: readonly Asset[], markets: readonly Market[]): readonly string[] {
    const scaleOf = new Map<number, number>(assets.map(({ id, scale }) => [id, scale]))
    return markets.flatMap((market) =>
      (['buy', 'sell'] as const).flatMap((side) => {
        const sums = this.#sums.get(`${market.id} ${side}`) ?? noSums()
        const row = table.get(`${market.symbol} ${side}`)
        const name = `${market.symbol}, taker ${side === 'buy' ? 'bought' : 'sold'}`
        if (row === undefined) return sums.count === 0n ? [] : [name]
        const [base, quote] = [scaleOf.get(market.base) as number, scaleOf.get(market.quote) as number]
        const lotScale = fractionDigits(market.lot)
        const quantity = sums.quantity * BigInt(parseUnits(market.lot, lotScale) as number)
        // In Futures both fees are in the quote asset.
        const buyer = market.perp === undefined ? base : quote
        const [makerScale, takerScale] = side === 'buy' ? [quote, buyer] : [buyer, quote]
        const isSame =
          ([sums.count, sums.ids, sums.orders, sums.users] as const).every(
            (sum, index) => sum === BigInt([row.count, row.ids, row.orders, row.users][index] as string),
          ) &&
          quantity === unitsOf(row.quantity, lotScale) &&
          sums.quote === unitsOf(row.quote, quote) &&
          sums.makerFee === unitsOf(row.makerFee, makerScale) &&
          sums.takerFee === unitsOf(row.takerFee, takerScale)
        return isSame ? [] : [name]
      }),
    )
  }

  #trade(event: Traded): void {
    const key = `${event.market} ${event.takerSide}`
    let sums = this.#sums.get(key)
    if (sums === undefined) this.#sums.set(key, (sums = noSums()))
    sums.count++
    sums.ids += BigInt(event.trade)
    sums.orders += BigInt(event.makerOrder) + 3n * BigInt(event.takerOrder)
    sums.users += BigInt(event.makerUser) + 3n * BigInt(event.takerUser)
    sums.quantity += BigInt(event.lots)
    sums.quote += BigInt(event.quote)
    sums.makerFee += BigInt(event.makerFee)
    sums.takerFee += BigInt(event.takerFee)
  }
}

/** The same sums from the table, for trades after a command. */
export async function readTradeTable(client: pg.ClientBase, after: number): Promise<TradeTable> {
  const { rows } = await client.query(
    `select market || ' ' || taker_side as key, count(*)::text as count, sum(trade_id)::text as ids,
       sum(maker_order + 3 * taker_order)::text as orders, sum(maker_user + 3 * taker_user)::text as users,
       sum(quantity) as quantity, sum(quote) as quote, sum(maker_fee) as "makerFee", sum(taker_fee) as "takerFee"
     from public.trades where seq > $1 group by market, taker_side`,
    [after],
  )
  return new Map(rows.map((row) => [row.key, row]))
}

function noSums(): Sums {
  return { count: 0n, ids: 0n, orders: 0n, users: 0n, quantity: 0n, quote: 0n, makerFee: 0n, takerFee: 0n }
}

/** A sum as whole units; one with more digits than the scale can't be ours and gives a number that no sum has. */
function unitsOf(text: string, scale: number): bigint {
  const [whole, fraction = ''] = text.split('.') as [string, string?]
  const digits = fraction.replace(/0+$/, '')
  return digits.length > scale ? -1n : BigInt(whole + digits.padEnd(scale, '0'))
}
