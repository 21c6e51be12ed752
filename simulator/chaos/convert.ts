import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Loose } from '../scripts.ts'
import { sum } from './numbers.ts'
import type { Scene } from './orders.ts'
import { assets, users } from './plans.ts'

/** Assets of the inventory, with what it begins with in whole units. */
const stock = [
  [1, 200_000],
  [2, 4],
  [3, 80],
  [4, 3_000_000],
] as const

const terms = {
  ...{ isOpen: true, spreadPpm: 30_000, validMs: 60_000, delayMs: 1500, waitMs: 10_000, driftPpm: 30_000, bookPpm: 400_000 },
  ...{ min: 100_000, max: 50_000_000_000, userMax: 200_000_000_000, hedger: users.length },
  shelves: stock.map(([asset, whole]) => ({ asset, target: unitsOf(asset, whole), band: unitsOf(asset, whole / 2) })),
}

/** Fills the inventory and opens conversions; the last user is the hedger. Comes after the users. */
export function openConversions(): readonly Loose[] {
  const fund = stock.map(([asset, whole]) => ({
    type: 'funds.system' as const,
    account: 'convert-inventory' as const,
    asset,
    amount: unitsOf(asset, whole),
  }))
  return [...fund, { type: 'user.house', user: users.length, isHouse: true }, { type: 'convert.setTerms', terms }]
}

/** A quote, its acceptance, a move of the hedger, or new terms. */
export function convertCommand(scene: Scene): Loose {
  const { random, exchange } = scene
  const kind = random.weighted({ quote: 6, accept: 8, hedge: 2, terms: 0.5 })
  switch (kind) {
    case 'quote':
      return quote(scene)
    case 'accept': {
      const asked = users.filter((one) => exchange.convert.standing(one as UserId).quote !== null)
      const user = asked.length > 0 && random.chance(0.8) ? random.pick(asked) : scene.user()
      const open = exchange.convert.standing(user as UserId).quote
      return { type: 'convert.accept', user, quote: open !== null && random.chance(0.9) ? open.quote : random.between(0, exchange.seq) }
    }
    case 'hedge': {
      const row = random.pick(exchange.convert.inventory())
      const isTaking = random.chance(0.6)
      const surplus = row === undefined ? 0 : Math.abs(row.available - row.target)
      const amount = random.chance(0.7) ? surplus : sum(random, surplus)
      const user = random.chance(0.9) ? users.length : scene.user()
      return { type: 'convert.hedge', user, clientId: scene.clientId(), asset: row?.asset ?? 1, amount, isTaking }
    }
    case 'terms': {
      const changed = random.pick([
        {},
        {},
        { isOpen: false },
        { driftPpm: random.between(0, 35_000) },
        { waitMs: random.between(1000, 20_000) },
        { userMax: random.between(1, 10) * 10_000_000_000, max: 10_000_000_000 },
        { shelves: terms.shelves.slice(random.between(0, 3)) },
        { hedger: random.between(0, users.length + 1) },
      ])
      return { type: 'convert.setTerms', terms: { ...terms, ...changed } }
    }
  }
}

function quote(scene: Scene): Loose {
  const { random, exchange } = scene
  const user = scene.user()
  const [from, to] = [random.between(random.chance(0.05) ? 0 : 1, 4), random.between(1, random.chance(0.05) ? assets.length : 4)]
  const isGet = random.chance(0.3)
  const asset = isGet ? to : from
  const has = exchange
    .balances(user as UserId)
    .find(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === asset)?.available
  const part = Math.floor((has ?? 0) * random.pick([0.001, 0.01, 0.1, 1]))
  return { type: 'convert.quote', user, clientId: scene.clientId(), from, to, amount: random.chance(0.8) ? part : sum(random, part), isGet }
}

function unitsOf(asset: number, whole: number): number {
  return Math.floor(whole * (assets[asset - 1] as { whole: number }).whole)
}
