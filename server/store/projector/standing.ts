import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Ticks } from '@candor/core/money/brand.ts'
import { parseTicks } from '@candor/core/money/price.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'
import type { OpenOrder, RunningOption } from '@candor/core/protocol/port.ts'
import type pg from 'pg'
import { Damaged } from '../../journal/fault.ts'
import { readJournal } from '../../journal/read.ts'
import { replayRow } from '../../journal/replay.ts'
import { emptyHead, type Head } from '../../journal/row.ts'
import { listSnapshots, loadSnapshot } from '../../journal/snapshots.ts'
import { Known } from '../projection/known.ts'
import type { Standing } from '../projection/projection.ts'
import type { UserRow } from '../projection/user.ts'
import { readPerpStanding } from './perp-standing.ts'
import { readWatermark } from './watermark.ts'

/** The core as it was when the tables were written last, and what the tables say. */
export type Recovered = { readonly exchange: Exchange; readonly head: Head; readonly standing: Standing }

/** Newest usable snapshot up to the watermark, then the journal up to it. Throws Damaged when the journal ends before. */
export async function recoverStanding(pool: pg.Pool, onBadSnapshot: (damage: Damaged) => void): Promise<Recovered> {
  const { seq, at } = await readWatermark(pool)
  const { exchange, place } = await restoreUpTo(pool, seq, onBadSnapshot)
  const events = new Records()
  let head = place
  if (head.seq < seq) {
    for await (const row of readJournal(pool, place)) {
      replayRow(exchange, row, events)
      head = { seq: row.seq, hash: row.hash }
      if (row.seq >= seq) break
    }
  }
  if (head.seq !== seq) throw new Damaged(seq, `the tables stand at ${seq}, the journal has a row that ends at ${head.seq}`)
  const { known, users } = await readKnown(pool)
  const openOrders = openOrdersOf(exchange, users)
  const openOptions = openOptionsOf(exchange, users)
  const [lastPrices, perp] = [await readLastPrices(pool, known), await readPerpStanding(pool, known)]
  return { exchange, head, standing: { seq, at, known, users, openOrders, openOptions, lastPrices, perp } }
}

async function restoreUpTo(
  pool: pg.Pool,
  seq: number,
  onBadSnapshot: (damage: Damaged) => void,
): Promise<{ readonly exchange: Exchange; readonly place: Head }> {
  for (const candidate of await listSnapshots(pool)) {
    if (candidate > seq) continue
    try {
      const { dump, hash } = await loadSnapshot(pool, candidate)
      return { exchange: Exchange.restore(dump), place: { seq: candidate, hash } }
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause
      onBadSnapshot(cause)
    }
  }
  return { exchange: Exchange.create(), place: emptyHead }
}

async function readKnown(pool: pg.Pool): Promise<{ readonly known: Known; readonly users: readonly UserRow[] }> {
  const known = new Known()
  const assets = await pool.query<Asset>('select id, symbol, scale from assets order by id')
  for (const asset of assets.rows) known.addAsset(asset)
  const markets = await pool.query<{ definition: Market }>('select definition from markets order by id')
  for (const { definition } of markets.rows) known.addMarket(definition)
  const users = await pool.query<UserRow>(
    'select user_id as "user", class, referrer, is_frozen as "isFrozen", tier, is_certified as "isCertified" from core_users order by user_id',
  )
  return { known, users: users.rows }
}

function* openOrdersOf(exchange: Exchange, users: readonly UserRow[]): Generator<OpenOrder> {
  for (const { user } of users) yield* exchange.openOrders(user as never)
}

function* openOptionsOf(exchange: Exchange, users: readonly UserRow[]): Generator<RunningOption> {
  for (const { user } of users) yield* exchange.openOptions(user as never)
}

async function readLastPrices(pool: pg.Pool, known: Known): Promise<ReadonlyMap<string, Ticks>> {
  const { rows } = await pool.query<{ symbol: string; price: string }>(
    `select symbol, price from markets,
     lateral (select price from trades where market = symbol order by trade_id desc limit 1) last`,
  )
  const prices = new Map<string, Ticks>()
  for (const { symbol, price } of rows) {
    const ticks = parseTicks(price, known.marketNamed(symbol)?.market.tick ?? '')
    if (ticks === undefined) throw new Error(`The last trade of ${symbol} has the price ${price}, which is no multiple of its tick`)
    prices.set(symbol, ticks)
  }
  return prices
}
