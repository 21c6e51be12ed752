/** Builds larger commands: OCO lists, index ticks, and commands with a wrong field. */
import { selfTradeModes } from '@candor/core/protocol/command/spot.ts'
import type { OrderAccepted } from '@candor/core/protocol/event/index.ts'
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

/** The changes of an amend, and for a stop mostly a trigger: `near` gives prices around the market's, `other` is an unfitting quantity. */
export function amendment(random: Random, order: OrderAccepted | undefined, near: () => number, other: number): object {
  const lots = order === undefined || random.chance(0.1) ? other : Math.max(1, Math.floor(order.lots * (0.4 + 0.9 * random.unit())))
  if (order?.trigger?.kind === 'stop' && random.chance(0.8)) {
    const triggerPrice = random.chance(0.1) ? order.trigger.price : near()
    const hasLots = order.spend === 0 && order.list === 0
    const price = Math.max(1, triggerPrice + random.between(-10, 10))
    return {
      triggerPrice,
      ...(random.chance(hasLots ? 0.4 : 0.03) ? { lots } : {}),
      ...(random.chance(order.orderType === 'limit' ? 0.5 : 0.03) ? { price } : {}),
      ...(random.chance(0.02) ? { keepsPriority: true } : {}),
    }
  }
  const what = random.between(0, 5)
  const price = near()
  const moved = random.chance(0.02) ? { triggerPrice: near() } : {}
  const keeps = random.chance(0.2) ? { keepsPriority: true } : {}
  return { ...(what <= 3 ? { lots } : {}), ...(what >= 3 ? { price } : {}), ...keeps, ...moved }
}

/** A list around the price `mid`: an order or a pair that waits for a working order, or a pair alone. Its legs may trail or be icebergs. */
export function list(random: Random, market: number, mid: number, make: Made): Loose {
  const side = random.chance(0.7) ? 'sell' : 'buy'
  const away = side === 'sell' ? 1 : -1
  const [falls, rises] = side === 'sell' ? (['falls-to', 'rises-to'] as const) : (['rises-to', 'falls-to'] as const)
  const lots = make.lots()
  const hasWork = random.chance(0.75)
  const isPair = !hasWork || random.chance(0.5)
  const own = (): string => (random.chance(0.2) ? make.clientId() : '')
  const shaped = (price: number, isPostOnly = random.chance(0.3)): Loose => {
    const timeInForce = isPostOnly || random.chance(0.8) ? 'GTC' : random.pick(['IOC', 'FOK'])
    const display = timeInForce === 'GTC' && random.chance(0.2) ? { display: Math.max(1, Math.floor(lots / random.between(2, 40))) } : {}
    return {
      clientId: own(),
      side,
      orderType: 'limit',
      timeInForce,
      price: Math.max(1, price),
      lots,
      isPostOnly,
      ...display,
    } as unknown as Loose
  }
  const taking = (): Loose =>
    ({ clientId: own(), side, orderType: 'market', timeInForce: 'IOC', lots, isPostOnly: false }) as unknown as Loose
  const base = mid - (hasWork ? away * random.skewed(6) : 0)
  const gain = Math.max(1, base + away * (1 + random.skewed(12)))
  const stop = Math.max(1, base - away * (1 + random.skewed(15)))
  const trail = (): object => ({ kind: 'trailing', trailPpm: 950 + random.skewed(1000), direction: falls })
  const stops = (): object => (random.chance(0.4) ? trail() : { kind: 'stop', price: stop, direction: falls })
  const loss = { ...(random.chance(0.5) ? taking() : shaped(stop, false)), trigger: stops() }
  const profits = [
    () => shaped(gain, random.chance(0.97)),
    () => ({ ...(random.chance(0.5) ? taking() : shaped(gain, false)), trigger: { kind: 'stop', price: gain, direction: rises } }),
    () => ({ ...taking(), trigger: { ...trail(), ...(random.chance(0.5) ? { activation: gain } : {}) } }),
  ]
  const alone = [() => shaped(gain), taking, () => loss]
  const working = {
    ...shaped(base),
    side: random.chance(0.9) ? (side === 'sell' ? 'buy' : 'sell') : side,
    lots: random.chance(0.8) ? lots : make.lots(),
  }
  return {
    type: 'spot.placeList',
    user: make.user(),
    clientId: make.clientId(),
    market,
    ...(hasWork ? { working } : {}),
    legs: isPair ? [random.pick(profits)(), loss] : [random.pick(alone)()],
    selfTrade: random.pick(selfTradeModes),
  } as unknown as Loose
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
