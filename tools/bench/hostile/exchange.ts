/** Data of an exchange that has been running for a while, so that hostile requests cost what they cost there. */
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { IndexTick } from '@candor/core/protocol/command/market.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { WireTape, WireTapeTick } from '@candor/core/protocol/wire/option.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Link } from '../../../server/engine/link.ts'
import { TapeHours } from '../../../server/store/projector/tape-hours.ts'
import type { Store } from '../../../server/store/open.ts'

const tickMs = 250
const ticksPerHour = 3_600_000 / tickMs
const accountCount = 3_000
/** Commands that wait for the engine at the same time. */
const atOnce = 500

export type Filling = { readonly link: Link; readonly store: Store; readonly url: string }

/** Fills the tape with two hours of ticks, all with prices and quotes, and prepares the whole hours for download. Returns one of them. */
export async function fillTape({ link, store: { pool }, url }: Filling): Promise<number> {
  const piece = async (): Promise<WireTape> => (await (await fetch(`${url}/app/v1/proof/tape?limit=8`)).json()) as WireTape
  let samples = (await piece()).ticks.filter(({ prices }) => prices.length > 0)
  for (; samples.length === 0; samples = (await piece()).ticks.filter(({ prices }) => prices.length > 0)) await sleep(tickMs)
  const commands = samples.map(indexTickOf)
  await inPortions(2 * ticksPerHour, (i) => accepted(link, commands[i % commands.length]!))

  const count = async () => (await pool.query<{ n: number }>('select max(tick)::int as n from index_tape')).rows[0]!.n
  while ((await count()) < 2 * ticksPerHour) await sleep(100)
  // They came within seconds; each gets a time of its own, as if the exchange had been running for these hours.
  await pool.query('update index_tape set at_ms = at_ms - (2 * $1 - tick) * $2 where tick < 2 * $1', [ticksPerHour, tickMs])
  const { markets, venues } = await piece()
  const hours = new TapeHours({ pool, names: async () => ({ markets, venues }), onFault: (cause) => console.error(cause) })
  await hours.build()
  await hours[Symbol.asyncDispose]()
  const { rows } = await pool.query<{ hour: number }>('select max(hour_ms) as hour from tape_hours')
  return rows[0]!.hour
}

/** Opens accounts, each with funds and an order in the book up to five percent away from `price`. */
export async function fillAccounts({ link, store: { pool } }: Filling, symbol: string, price: number): Promise<void> {
  const { assets, markets } = await link.ask.listing()
  const market = markets.find((one) => one.symbol === symbol)!.id
  const ids = Array.from({ length: accountCount }, () => randomUUID())
  const users: UserId[] = []
  await inPortions(accountCount, async (i) => {
    const outcome = await accepted(link, { type: 'user.open', requestId: ids[i]!, class: 'retail', referrer: 0 as UserId })
    users[i] = outcome.user
  })
  // The password is nobody's: these accounts are only looked up.
  await pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     select id, (800000000 + n)::text, core_user, 'account' || n || '@bench.example', '-', 0, 'en', 'BENCH' || n, 'retail', 0
     from unnest($1::uuid[], $2::bigint[]) with ordinality as t (id, core_user, n)`,
    [ids, users],
  )
  for (const { symbol: name, id, scale } of assets.filter((asset) => ['BTC', 'USDT'].includes(asset.symbol))) {
    const amount = (10 ** scale * (name === 'BTC' ? 1 : 100_000)) as Units
    await inPortions(accountCount, (i) =>
      accepted(link, { type: 'funds.faucet', user: users[i]!, clientId: `fill-${name}`, asset: id, amount }),
    )
  }
  await inPortions(accountCount, (i) => accepted(link, orderOf(i, users[i]!, market, price)))
}

function orderOf(i: number, user: UserId, market: MarketId, price: number): Command {
  const isBuy = i % 2 === 0
  const away = 0.001 + (0.05 * i) / accountCount
  const ticks = Math.round(price * 10 * (isBuy ? 1 - away : 1 + away))
  const terms = { orderType: 'limit', timeInForce: 'GTC', lots: 100, isPostOnly: false, selfTrade: 'expire-taker' }
  return { type: 'spot.place', user, clientId: 'fill', market, side: isBuy ? 'buy' : 'sell', price: ticks, ...terms } as unknown as Command
}

function indexTickOf({ prices }: WireTapeTick): IndexTick {
  const numbers = prices
    .filter(({ quotes }) => quotes.length > 0)
    .map(({ market, sources, isGood, quotes }) => {
      const sent = quotes.map(({ venue, price }) => ({ venue, price: Number(price) }))
      return { market, sources, isGood, price: medianOf(sent.map(({ price }) => price)), quotes: sent }
    })
  return { type: 'index.tick', prices: numbers as unknown as IndexTick['prices'] }
}

/** As the core demands it: the mean of the middle two is rounded down. */
function medianOf(prices: readonly number[]): number {
  const sorted = [...prices].sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >>> 1]!, sorted[sorted.length >>> 1]!]
  return low + Math.floor((high - low) / 2)
}

async function accepted<C extends Command>(link: Link, command: C) {
  const outcome = await link.submit(command)
  if (outcome.refusal !== undefined) throw new Error(`${command.type} was refused: ${outcome.refusal}`)
  return outcome
}

async function inPortions(count: number, act: (i: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - from) }, (_, i) => act(from + i)))
}
