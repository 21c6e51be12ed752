import type { PresaleView } from '@candor/core/protocol/port.ts'
import type { Loose } from '../scripts.ts'
import { sum } from './numbers.ts'
import type { Scene } from './orders.ts'
import { assets } from './plans.ts'

/** Tokens on sale: one with eight digits, one without decimals, one with the most decimals. Few units, so that fractions matter. */
const tokens = [3, 4, 5] as const
const lastNumber = 40

/** Gives `presale-tokens` what presales sell. */
export function fillPresales(): readonly Loose[] {
  return tokens.map((asset) => ({ type: 'funds.system', account: 'presale-tokens', asset, amount: unitsOf(asset) * 50 }))
}

/** A presale is opened, changed, subscribed to or cancelled. The clock of the run ends it and releases its tokens. */
export function presaleCommand(scene: Scene, at: number): Loose {
  const { random, exchange } = scene
  const open = exchange.presale.all().filter(({ isEnded, terms }) => !isEnded && terms.endsAt > at)
  const kind = random.weighted({ subscribe: open.length > 0 ? 12 : 1, set: open.length > 3 ? 1 : 3, cancel: 0.15, change: 0.7 })
  if (kind === 'subscribe') return subscribe(scene, open, at)
  if (kind === 'cancel')
    return { type: 'presale.cancel', presale: open.length > 0 ? random.pick(open).presale : random.between(0, lastNumber) }
  if (kind === 'set' || open.length === 0) return { type: 'presale.set', presale: random.between(1, lastNumber), terms: terms(scene, at) }
  const { presale, terms: now } = random.pick(open)
  return { type: 'presale.set', presale, terms: random.chance(0.7) ? { ...terms(scene, at), token: now.token } : now }
}

function subscribe({ random, clientId, user }: Scene, open: readonly PresaleView[], at: number): Loose {
  const begun = open.filter(({ terms: { startsAt } }) => startsAt <= at)
  const view = begun.length > 0 && random.chance(0.95) ? random.pick(begun) : undefined
  const most = view === undefined ? 1000e6 : view.terms.subscriptionMax
  return {
    ...{ type: 'presale.subscribe', user: user(), clientId: clientId(), presale: view?.presale ?? random.between(0, lastNumber) },
    amount: random.chance(0.4) ? Math.max(view?.terms.subscriptionMin ?? 1, Math.floor(most / 20)) : sum(random, most),
  }
}

function terms({ random }: Scene, at: number): object {
  const token = random.pick(tokens)
  const supply = Math.max(1, Math.floor(unitsOf(token) * random.pick([0.1, 1, 7])))
  // 100 to 100,000 USDT for all of it.
  const price = { pay: random.pick([1, 10, 100, 999]) * 100e6 + random.between(0, 2), per: supply }
  const window = random.pick([1000, 30_000, 600_000, 7_200_000, 86_400_000])
  const startsAt = at + random.pick([-5, 0, 0, 1, 500, 20_000])
  const lockDays = random.between(1, 3)
  const half = random.between(1, 800_000)
  const release = random.pick([
    { atListingPpm: 1_000_000, kind: 'linear', lockDays: 0, steps: [] },
    { atListingPpm: 200_000, kind: 'linear', lockDays, steps: [] },
    { atListingPpm: 0, kind: 'cliff', lockDays, steps: [] },
    {
      atListingPpm: 200_000 - 1,
      kind: 'steps',
      lockDays: 2,
      steps: [
        { day: 1, ppm: half },
        { day: 2, ppm: 800_001 - half },
      ],
    },
  ])
  return {
    ...{ token, pay: 1, price, supply, purchaseLimit: Math.max(1, Math.floor(supply * random.pick([0.01, 0.3, 1]))) },
    ...{ subscriptionMin: Math.ceil(price.pay / supply), subscriptionMax: Math.ceil(price.pay * random.pick([0.01, 0.5, 2])) + 1000 },
    softCap: random.chance(0.25) ? Math.floor(price.pay * random.unit()) : 0,
    ...{ startsAt, endsAt: startsAt + window, release, documentHash: '', detailsHash: 'ab'.repeat(32) },
  }
}

function unitsOf(asset: number): number {
  return (assets[asset - 1] as { whole: number }).whole * (asset === 4 ? 1000 : 1)
}
