/** Builds larger commands: OCO lists, index ticks, and commands with a wrong field. */
import { selfTradeModes } from '@candor/core/protocol/command/spot.ts'
import { oddNumbers } from './plans.ts'
import type { Random } from './random.ts'
import type { Loose } from './scripts.ts'

/** Sources of users, client ids and quantities. */
type Made = { readonly user: () => number; readonly clientId: () => string; readonly lots: () => number }

/** An OCO around the price `mid`. */
export function oco(random: Random, market: number, mid: number, make: Made): Loose {
  const side = random.chance(0.5) ? 'buy' : 'sell'
  const away = side === 'sell' ? 1 : -1
  const stopPrice = Math.max(1, mid - away * (1 + random.skewed(15)))
  const gain = Math.max(1, mid + away * random.skewed(12))
  const isWaiting = random.chance(0.4)
  const isTaking = isWaiting && random.chance(0.4)
  const limitPrice = isWaiting ? Math.max(1, gain + random.between(-10, 10)) : gain
  const isStopLimit = random.chance(0.5)
  const at = (name: string, chance: number): Loose | object => (random.chance(chance) ? { [name]: random.pick(['IOC', 'FOK']) } : {})
  return {
    type: 'spot.placeOco',
    user: make.user(),
    clientId: make.clientId(),
    ...(random.chance(0.2) ? { limitClientId: make.clientId() } : {}),
    ...(random.chance(0.2) ? { stopClientId: make.clientId() } : {}),
    market,
    side,
    lots: make.lots(),
    ...(isTaking ? {} : { limitPrice }),
    ...(isWaiting ? { limitTrigger: gain } : {}),
    ...at('limitTimeInForce', isWaiting && !isTaking ? 0.3 : 0.02),
    stopPrice,
    ...(isStopLimit ? { stopLimit: Math.max(1, stopPrice + random.between(-10, 10)) } : {}),
    ...at('stopTimeInForce', isStopLimit ? 0.3 : 0.02),
    selfTrade: random.pick(selfTradeModes),
  }
}

/** The command with one field changed. */
export function changed(random: Random, command: Loose): Loose {
  const fields = Object.keys(command).filter((field) => typeof command[field] === 'number' || field === 'clientId')
  const optional = ['price', 'lots', 'spend', 'display'].filter(() => command.type === 'spot.place')
  if (fields.length + optional.length === 0) return command
  const field = random.pick([...fields, ...optional])
  if (field === 'clientId') return { ...command, clientId: random.pick(['', 'a b', '~', 'ü'.normalize('NFD').slice(0, 1), 'x'.repeat(36)]) }
  const value = random.chance(0.3) ? random.between(-5, 3000) : random.pick(oddNumbers)
  return { ...command, [field]: value }
}

/** A tick of index prices around `mids`, by market. */
export function index(random: Random, mids: readonly number[]): Loose {
  const scales = [1e8, 1e7, 1e3, 1e3]
  const prices = mids.map((mid, i) => {
    const price = Math.max(1, Math.floor(mid * (scales[i] as number) * (0.999 + 0.002 * random.unit())))
    const isGood = random.chance(0.95)
    if (random.chance(0.5)) return { market: i + 1, price, sources: random.between(2, 4), isGood }
    // Three venues with the index as their median; now and then quotes that contradict the index.
    const quotes = [price - random.between(0, 5), price, price + random.between(random.chance(0.05) ? -9 : 0, 5)]
    return { market: i + 1, price, sources: 3, isGood, quotes: quotes.map((quote, venue) => ({ venue, price: Math.max(1, quote) })) }
  })
  if (random.chance(0.2)) return { type: 'index.tick', prices: [] }
  return { type: 'index.tick', prices: random.chance(0.5) ? prices : [random.pick(prices)] }
}
