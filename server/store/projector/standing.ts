import type { Seq, UserId } from '@candor/core/protocol/ids.ts'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Millis, Ticks } from '@candor/core/money/brand.ts'
import { parseTicks } from '@candor/core/money/price.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'
import type { OpenOrder, RunningOption } from '@candor/core/protocol/port.ts'
import type pg from 'pg'
import { Damaged } from '../../journal/fault.ts'
import { readJournal } from '../../journal/read.ts'
import { restoreSnapshot } from '../../journal/recover.ts'
import { replayRow } from '../../journal/replay.ts'
import { emptyHead, type Head } from '../../journal/row.ts'
import { secret } from '../../journal/secret.ts'
import { listSnapshots } from '../../journal/snapshots.ts'
import { checkUpgrade } from '../../journal/upgrade.ts'
import { Known } from '../projection/known.ts'
import type { Standing } from '../projection/projection.ts'
import type { UserRow } from '../projection/user.ts'
import { indexesOf, readCosts } from './cost-standing.ts'
import { readPerpStanding } from './perp-standing.ts'
import { readReceiptsAfter, readWatermark, type Watermark } from './watermark.ts'

/** The core as it was when the tables were last written, and the contents of the tables. */
export type Recovered = { readonly exchange: Exchange; readonly head: Head; readonly standing: Standing }

/** A core at a row of the journal. `head` moves with each row that the core executes. */
export type CoreAt = { readonly exchange: Exchange; head: Head }

/**
 * The core where the tables end: from the newest usable snapshot up to there, or from a core that is not beyond (`warm`, which stays
 * usable after an error), then the journal. Throws Damaged when the journal ends before the tables, NotClosed when the previous build
 * left a tail.
 */
export async function coreAtTables(pool: pg.Pool, onBadSnapshot: (damage: Damaged) => void, warm?: CoreAt): Promise<CoreAt & Watermark> {
  await checkUpgrade(pool)
  const { seq, at } = await readWatermark(pool)
  const core = warm !== undefined && warm.head.seq <= seq ? warm : await restoreUpTo(pool, seq, onBadSnapshot)
  const events = new Records()
  if (core.head.seq < seq) {
    for await (const row of readJournal(pool, core.head)) {
      replayRow(core.exchange, row, events)
      core.head = { seq: row.seq, hash: row.hash }
      if (row.seq >= seq) break
    }
  }
  const { exchange, head } = core
  if (head.seq !== seq) throw new Damaged(seq, `the tables end at ${seq}, but the journal has a row that ends at ${head.seq}`)
  return { exchange, head, seq, at }
}

/** The core where the tables end, and their contents. Nobody else may write them meanwhile. */
export async function recoverStanding(pool: pg.Pool, onBadSnapshot: (damage: Damaged) => void, warm?: CoreAt): Promise<Recovered> {
  const { exchange, head, seq, at } = await coreAtTables(pool, onBadSnapshot, warm)
  await learnHouse(pool, exchange)
  const { known, users } = await readKnown(pool)
  const [lastPrices, perp] = [await readLastPrices(pool, known), await readPerpStanding(pool, known)]
  const recorded = await readRecorded(pool)
  const costs = { held: await readCosts(pool, known), indexes: indexesOf(exchange) }
  const receipts = await receiptsOf(pool, exchange, users)
  const standing = { seq, at, known, users, ...openOf(exchange, users), lastPrices, perp, costs, recorded, receipts }
  return { exchange, head, standing }
}

/**
 * State for a projection that begins at `seq` with empty tables, from the core alone. Sums and values that only tables carry on
 * are missing, unless `seq` is 0.
 */
export async function standingAt(queries: pg.Pool | pg.ClientBase, exchange: Exchange, seq: Seq): Promise<Standing> {
  const known = knownOf(exchange)
  const users = seq === 0 ? [] : (await readUsers(queries)).filter(({ user }) => user <= exchange.userCount)
  for (const { user, class: userClass } of users) if (userClass !== 'retail') known.addQuiet(user)
  const marks = new Map(exchange.marks().map(({ market, mark, index }) => [market, { mark: mark as Ticks, index, at: 0 as Millis }]))
  const perp = { positions: [], marks, quotes: new Map() }
  const costs = { held: [], indexes: indexesOf(exchange) }
  const receipts = await receiptsOf(queries, exchange, users)
  return { seq, at: exchange.atMs as Millis, known, users, ...openOf(exchange, users), lastPrices: new Map(), perp, costs, receipts }
}

/** The assets and markets that the core has. */
export function knownOf(exchange: Exchange): Known {
  const known = new Known()
  const { assets, markets } = exchange.listing()
  for (const asset of assets) known.addAsset(asset)
  for (const market of markets) known.addMarket(market)
  return known
}

async function receiptsOf(
  queries: pg.Pool | pg.ClientBase,
  exchange: Exchange,
  users: readonly UserRow[],
): Promise<NonNullable<Standing['receipts']>> {
  const house = users.map(({ user }) => user).filter((user) => exchange.standing(user).isHouse)
  return { house, after: await readReceiptsAfter(queries) }
}

function openOf(exchange: Exchange, users: readonly UserRow[]): Pick<Standing, 'openOrders' | 'openOptions'> {
  return { openOrders: openOrdersOf(exchange, users), openOptions: openOptionsOf(exchange, users) }
}

async function restoreUpTo(pool: pg.Pool, seq: number, onBadSnapshot: (damage: Damaged) => void): Promise<CoreAt> {
  for (const candidate of await listSnapshots(pool)) {
    if (candidate > seq) continue
    try {
      const { exchange, place } = await restoreSnapshot(pool, candidate)
      return { exchange, head: place }
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause
      onBadSnapshot(cause)
    }
  }
  return { exchange: Exchange.create(secret), head: emptyHead }
}

async function readKnown(pool: pg.Pool): Promise<{ readonly known: Known; readonly users: readonly UserRow[] }> {
  const known = new Known()
  const assets = await pool.query<Asset>('select id, symbol, scale from assets order by id')
  for (const asset of assets.rows) known.addAsset(asset)
  const markets = await pool.query<{ definition: Market }>('select definition from markets order by id')
  for (const { definition } of markets.rows) known.addMarket(definition)
  return { known, users: await readUsers(pool) }
}

/** Tables that an earlier build wrote don't know which users belong to the house. */
async function learnHouse(pool: pg.Pool, exchange: Exchange): Promise<void> {
  const wrong = (await readUsers(pool)).filter(({ user, isHouse }) => exchange.isHouse(user) !== isHouse).map(({ user }) => user)
  if (wrong.length > 0) await pool.query('update core_users set is_house = not is_house where user_id = any($1)', [wrong])
}

async function readUsers(queries: pg.Pool | pg.ClientBase): Promise<readonly UserRow[]> {
  const { rows } = await queries.query<UserRow>(
    `select user_id as "user", class, referrer, is_frozen as "isFrozen", tier, is_certified as "isCertified",
      is_house as "isHouse" from core_users order by user_id`,
  )
  return rows
}

/** Users whose requests are in the tables: see `RequestProjection`. */
async function readRecorded(pool: pg.Pool): Promise<readonly UserId[]> {
  const { rows } = await pool.query<{ user_id: UserId }>('select user_id from recorded_users')
  return rows.map(({ user_id }) => user_id)
}

function* openOrdersOf(exchange: Exchange, users: readonly UserRow[]): Generator<OpenOrder> {
  for (const { user } of users) yield* exchange.openOrders(user)
}

function* openOptionsOf(exchange: Exchange, users: readonly UserRow[]): Generator<RunningOption> {
  for (const { user } of users) yield* exchange.openOptions(user)
}

async function readLastPrices(pool: pg.Pool, known: Known): Promise<ReadonlyMap<string, Ticks>> {
  const { rows } = await pool.query<{ symbol: string; price: string }>(
    `select symbol, price from markets,
     lateral (select price from trades where market = symbol and maker_user <> taker_user order by trade_id desc limit 1) last`,
  )
  const prices = new Map<string, Ticks>()
  for (const { symbol, price } of rows) {
    const ticks = parseTicks(price, known.marketNamed(symbol)?.market.tick ?? '')
    if (ticks === undefined) throw new Error(`The last trade of ${symbol} has the price ${price}, which is not a multiple of its tick`)
    prices.set(symbol, ticks)
  }
  return prices
}
