import assert from 'node:assert/strict'
import { parseUnits } from '../../money/units.ts'
import { encodeCommand } from '../../protocol/codec/command.ts'
import { decodeEvents } from '../../protocol/codec/event.ts'
import { lengthOf, Records } from '../../protocol/codec/records.ts'
import type { Command } from '../../protocol/command/index.ts'
import type { PlaceOco, PlaceOrder } from '../../protocol/command/spot.ts'
import type { CloseReason, Event, OutcomeEvent } from '../../protocol/event/index.ts'
import type { MarketId, UserId } from '../../protocol/ids.ts'
import type { OpenOrder } from '../../protocol/port.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { Exchange } from '../exchange.ts'

export const start = 1_750_000_000_000

/** Terms of a market in tests, unless a test changes them. */
export const terms = {
  makerFeePpm: 1000,
  takerFeePpm: 1000,
  notionalMin: 5_000_000,
  lotsMin: 1,
  lotsMax: 1_000_000_000,
  bandPpm: 200_000,
  slippagePpm: 50_000,
  openOrdersMax: 200,
  isTrading: true,
}

export const scales = { USDT: 6, BTC: 8, ETH: 8 } as const
type AssetName = keyof typeof scales
const assetIds = { USDT: 1, BTC: 2, ETH: 3 } as const
/** BTCUSDT has a tick of 1 USDT and a lot of 0.001 BTC, so one lot at one tick is 0.001 USDT. */
export const markets = [
  { symbol: 'BTCUSDT', base: 2, quote: 1, tick: '1', lot: '0.001' },
  { symbol: 'ETHBTC', base: 3, quote: 2, tick: '0.00001', lot: '0.001' },
] as const

/** The events of one command, with assertions for tests. */
export class Told {
  readonly events: readonly Event[]
  readonly outcome: OutcomeEvent

  constructor(events: readonly Event[]) {
    this.events = events
    const outcome = events.at(-1)
    assert.equal(outcome?.type, 'outcome')
    this.outcome = outcome as OutcomeEvent
  }

  get order(): number {
    return this.outcome.order
  }

  of<T extends Event['type']>(type: T): Extract<Event, { type: T }>[] {
    return this.events.filter((event) => event.type === type) as Extract<Event, { type: T }>[]
  }

  isAccepted(): this {
    assert.equal(this.outcome.refusal, undefined)
    return this
  }

  isRefused(refusal: Refusal): this {
    assert.equal(this.outcome.refusal, refusal)
    assert.equal(this.events.length, 1, 'a refusal changes nothing')
    return this
  }

  /** Checks the trades, as "price×lots". */
  traded(...expected: string[]): this {
    assert.deepEqual(
      this.of('traded').map((trade) => `${trade.price}×${trade.lots}`),
      expected,
    )
    return this
  }

  closed(order: number, reason: CloseReason): this {
    assert.equal(this.of('order.closed').find((event) => event.order === order)?.reason, reason)
    return this
  }
}

/** An exchange with three assets, two markets and users by name, and shorthands for their commands. */
export class World {
  exchange = Exchange.create()
  atMs = start
  readonly users = new Map<string, UserId>()
  readonly log = new Records()
  #isRecording = true

  /** Executes one command and checks the invariants that hold after every command. */
  do(command: object): Told {
    const commands = new Records()
    const events = new Records()
    encodeCommand(command as Command, { seq: this.exchange.seq + 1, at: this.atMs, keyId: 0 }, commands)
    if (this.#isRecording) this.log.append(commands.data, 0, commands.length)
    this.exchange.execute(commands.data, 0, events)
    const told = new Told(decodeEvents(events.data, 0, events.length))
    checkEntries(told.events)
    const { sums, violations } = this.exchange.trialBalance()
    assert.deepEqual(violations, [])
    assert.ok(sums.every((sum) => sum === 0))
    return told
  }

  user(name: string): UserId {
    const known = this.users.get(name)
    if (known !== undefined) return known
    const user = this.do({ type: 'user.open', requestId: '', class: 'retail', referrer: 0 }).isAccepted().outcome.user
    this.users.set(name, user)
    return user
  }

  gives(name: string, asset: AssetName, amount: string): this {
    const units = parseUnits(amount, scales[asset])
    this.do({ type: 'funds.faucet', user: this.user(name), clientId: '', asset: assetIds[asset], amount: units }).isAccepted()
    return this
  }

  place(name: string, order: Partial<PlaceOrder> | object): Told {
    const whole = {
      clientId: '',
      market: 1,
      side: 'buy',
      orderType: 'limit',
      timeInForce: 'GTC',
      isPostOnly: false,
      selfTrade: 'expire-taker',
    }
    return this.do({ type: 'spot.place', user: this.user(name), ...whole, ...order })
  }

  buy(name: string, price: number, lots: number, more: object = {}): Told {
    return this.place(name, { side: 'buy', price, lots, ...more })
  }

  sell(name: string, price: number, lots: number, more: object = {}): Told {
    return this.place(name, { side: 'sell', price, lots, ...more })
  }

  market(name: string, side: 'buy' | 'sell', amount: object): Told {
    return this.place(name, { side, orderType: 'market', timeInForce: 'IOC', ...amount })
  }

  oco(name: string, list: Partial<PlaceOco> | object): Told {
    const whole = { type: 'spot.placeOco', clientId: '', market: 1, side: 'sell', selfTrade: 'expire-taker' }
    return this.do({ ...whole, user: this.user(name), ...list })
  }

  cancel(name: string, order: number, more: object = {}): Told {
    return this.do({ type: 'spot.cancel', user: this.user(name), clientId: '', market: 1, order, orderClientId: '', ...more })
  }

  amend(name: string, order: number, change: object): Told {
    return this.do({ type: 'spot.amend', user: this.user(name), clientId: '', market: 1, order, orderClientId: '', ...change })
  }

  tick(): Told {
    return this.do({ type: 'clock.tick' })
  }

  /** An index tick of the first market, in its ticks. */
  index(price: number, isGood = true): Told {
    const prices = [{ market: 1, price: price * 100_000_000, sources: isGood ? 3 : 1, isGood }]
    return this.do({ type: 'index.tick', prices })
  }

  /** Makes a trade at this price between two other users, so that the market has a last price. */
  prints(price: number, lots = 100): this {
    this.gives('maker', 'BTC', '10').gives('taker', 'USDT', '1000000')
    this.sell('maker', price, lots).isAccepted()
    this.buy('taker', price, lots, { timeInForce: 'IOC' }).isAccepted().traded(`${price}×${lots}`)
    return this
  }

  open(name: string): readonly OpenOrder[] {
    return this.exchange.openOrders(this.user(name))
  }

  /** Checks the available and held amounts of a spot account, in decimals of the asset. */
  has(name: string, asset: AssetName, available: string, held = '0'): this {
    const balance = this.exchange
      .balances(this.user(name))
      .find(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === assetIds[asset])
    const units = (text: string): number => parseUnits(text, scales[asset])!
    assert.deepEqual([balance?.available ?? 0, balance?.held ?? 0], [units(available), units(held)], `${name} ${asset}`)
    return this
  }

  /** Checks the book as "price×lots": bids, then asks, best first. */
  shows(bids: string[], asks: string[], market = 1): this {
    const book = this.exchange.book(market as MarketId)
    const text = (levels: readonly { price: number; lots: number }[]): string[] => levels.map(({ price, lots }) => `${price}×${lots}`)
    assert.deepEqual([text(book.bids), text(book.asks)], [bids, asks])
    return this
  }

  hasNoOrders(): this {
    assert.equal(this.exchange.orderCount, 0)
    return this
  }

  /** Checks that replaying all commands gives the same hash, and that restoring a dump gives the same dump. */
  isReplayable(): this {
    const again = Exchange.create()
    const events = new Records()
    for (let at = 0; at < this.log.length; at += lengthOf(this.log.data[at]!)) again.execute(this.log.data, at, events)
    assert.equal(again.hash(), this.exchange.hash())
    const restored = Exchange.restore(this.exchange.dump())
    assert.deepEqual(Buffer.from(restored.dump()), Buffer.from(this.exchange.dump()))
    return this
  }
}

/** A world with these users and funds, as in `{ alice: { USDT: '1000' } }`. `changed`: changes of the markets' terms. */
export function given(funds: Record<string, Partial<Record<AssetName, string>>> = {}, changed: object = {}): World {
  const world = new World()
  for (const symbol of Object.keys(scales) as AssetName[]) world.do({ type: 'asset.list', symbol, scale: scales[symbol] }).isAccepted()
  for (const market of markets) {
    const own = market.quote === 1 ? terms : { ...terms, notionalMin: 1000 }
    world.do({ type: 'market.list', ...market, terms: { ...own, ...changed } }).isAccepted()
  }
  for (const [name, amounts] of Object.entries(funds)) {
    world.user(name)
    for (const [asset, amount] of Object.entries(amounts)) world.gives(name, asset as AssetName, amount as string)
  }
  return world
}

/** Checks that deltas sum to zero per asset, and that each entry follows from the account's entry before. */
function checkEntries(events: readonly Event[]): void {
  const sums = new Map<number, number>()
  const last = new Map<string, readonly [number, number]>()
  for (const event of events) {
    if (event.type !== 'entry') continue
    const { account, delta, heldDelta, available, held } = event
    sums.set(account.asset, (sums.get(account.asset) ?? 0) + delta + heldDelta)
    const before = last.get(JSON.stringify(account))
    if (before !== undefined) assert.deepEqual([before[0] + delta, before[1] + heldDelta], [available, held])
    last.set(JSON.stringify(account), [available, held])
  }
  for (const [asset, sum] of sums) assert.equal(sum, 0, `entries of asset ${asset}`)
}
