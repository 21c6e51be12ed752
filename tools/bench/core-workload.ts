/**
 * The seeded commands that the core and its yardstick both execute: 45 % limit orders, 10 % immediate-or-cancel orders (half of them
 * priced like market orders), a third cancels, the rest amends; 10,000 users; prices at an exponential distance from a walking mid
 * price. The generator runs an exchange of its own to know which orders are open.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Exchange } from '../../core/exchange/exchange.ts'
import { encodeCommand } from '../../core/protocol/codec/command.ts'
import { decodeEvents } from '../../core/protocol/codec/event.ts'
import { Records } from '../../core/protocol/codec/records.ts'
import type { Command } from '../../core/protocol/command/index.ts'
import type { Event } from '../../core/protocol/event/index.ts'
import type { UserId } from '../../core/protocol/ids.ts'
import { type OpenOrder, OpenOrders } from './open-orders.ts'

export const LIMIT = 0
export const IMMEDIATE = 1
export const CANCEL = 2
export const AMEND = 3

/** One command in plain numbers, for books that are not the core. */
export type Plain = {
  readonly kind: number
  readonly market: number
  readonly user: number
  readonly side: 0 | 1
  readonly price: number
  /** Quantity; for an amend, the quantity that remains. */
  readonly lots: number
  /** Number of the order, or the number that a new order gets. */
  readonly order: number
}

export type Workload = {
  /** Users, assets, markets, funds: executed before the clock starts. */
  readonly setup: Records
  readonly commands: Records
  /** Start of each command in `commands`. */
  readonly offsets: Float64Array
  /** The same commands as seven numbers each, so that the garbage collector has no objects to trace: see `plainAt`. */
  readonly plain: Float64Array
  readonly resting: number
}

const users = 10_000
const distanceTicks = 150
const start = 1_750_000_000_000

export function makeWorkload(seed: number, count: number, markets: number): Workload {
  const workload = new Generator(mulberry(seed), count, markets)
  for (let n = 0; n < count; n++) workload.add(n)
  return workload.result()
}

/** Values drawn for every command: its time, market and mid price, and the size in case it is an order. */
type Draw = { readonly n: number; readonly at: number; readonly market: number; readonly mid: number; readonly lots: number }

/** Draws one command after the other. Drawing random numbers in another order gives another workload. */
class Generator {
  readonly #random: () => number
  readonly #markets: number
  readonly #exchange = Exchange.create()
  readonly #setup = new Records(1 << 20)
  readonly #commands = new Records(1 << 22)
  readonly #events = new Records(1 << 12)
  readonly #offsets: Float64Array<ArrayBuffer>
  readonly #plain: Float64Array<ArrayBuffer>
  readonly #mids: number[]
  readonly #open = new OpenOrders()
  /** Number of open orders that the books are kept at. */
  readonly #target: number

  constructor(random: () => number, count: number, markets: number) {
    this.#random = random
    this.#markets = markets
    this.#offsets = new Float64Array(count)
    this.#plain = new Float64Array(count * 7)
    this.#target = markets === 1 ? 4_000 : 1_000 * markets
    prepare((command) => this.#run(this.#setup, command, start), markets)
    this.#mids = Array.from({ length: markets + 1 }, () => 600_000 + Math.floor(random() * 100_000))
  }

  result(): Workload {
    return {
      setup: this.#setup,
      commands: this.#commands,
      offsets: this.#offsets,
      plain: this.#plain,
      resting: this.#exchange.orderCount,
    }
  }

  /** Adds command `n`. */
  add(n: number): void {
    const market = 1 + Math.floor(this.#random() * this.#markets)
    const mid = this.#mids[market]! + Math.round((this.#random() - 0.5) * 6)
    this.#mids[market] = mid
    const roll = this.#random()
    const isFull = this.#open.count > this.#target
    const isThin = this.#open.count < this.#target / 4
    const cancelUpTo = 0.55 + (isFull ? 0.34 : 0.32)
    const draw = { n, at: start + Math.floor(n / 4), market, mid, lots: 1 + Math.floor(this.#random() * 100) }
    if (roll < 0.55 || isThin) return this.#place(draw, roll < 0.45 || isThin, isFull)
    const picked = this.#open.at(Math.floor(this.#random() * this.#open.count))
    if (roll < cancelUpTo || picked.left < 2) this.#cancel(draw, picked)
    else this.#amend(draw, picked)
  }

  #place({ n, at, market, mid, lots }: Draw, isLimit: boolean, isFull: boolean): void {
    const side = this.#random() < 0.5 ? 0 : 1
    const distance = Math.floor(-Math.log(1 - this.#random()) * distanceTicks)
    const isSweeping = !isLimit && this.#random() < 0.5
    const away = isLimit ? distance - 2 : isSweeping ? -20_000 : -distance
    const price = side === 0 ? mid - away : mid + away
    const quantity = isLimit || isFull ? lots : Math.ceil(lots / 4)
    const user = 1 + Math.floor(this.#random() * users)
    const command = {
      type: 'spot.place',
      user,
      clientId: `b${n.toString(36)}-${user}`,
      market,
      side: side === 0 ? 'buy' : 'sell',
      orderType: 'limit',
      timeInForce: isLimit ? 'GTC' : 'IOC',
      price,
      lots: quantity,
      isPostOnly: false,
      selfTrade: 'expire-taker',
    }
    this.#offsets[n] = this.#run(this.#commands, command, at)
    const told = this.#told()
    const outcome = told.at(-1)!
    if (outcome.type !== 'outcome' || outcome.refusal !== undefined) throw new Error(`order refused: ${JSON.stringify(outcome)}`)
    const { order } = outcome
    this.#note(n, { kind: isLimit ? LIMIT : IMMEDIATE, market, user, side, price, lots: quantity, order })
    this.#open.placed({ order, market, user, side, price, left: quantity }, told)
  }

  #cancel({ n, at }: Draw, picked: OpenOrder): void {
    this.#offsets[n] = this.#run(this.#commands, { type: 'spot.cancel', ...refOf(picked) }, at)
    this.#note(n, { kind: CANCEL, ...picked, lots: 0 })
    this.#open.forget(picked.order)
  }

  /** Half of the amends make the order smaller; half move it by a few ticks on its own side. */
  #amend({ n, at }: Draw, picked: OpenOrder): void {
    const isSmaller = this.#random() < 0.5
    const step = 1 + Math.floor(this.#random() * 20)
    const price = isSmaller ? picked.price : picked.side === 0 ? picked.price - step : picked.price + step
    const left = isSmaller ? Math.ceil(picked.left / 2) : picked.left
    const { executedLots } = this.#exchange.openOrders(picked.user as UserId).find(({ order }) => order === picked.order)!
    const change = isSmaller ? { lots: left + executedLots } : { price }
    this.#offsets[n] = this.#run(this.#commands, { type: 'spot.amend', ...refOf(picked), ...change }, at)
    this.#note(n, { kind: AMEND, ...picked, price, lots: left })
    picked.price = price
    picked.left = left
    for (const event of this.#told()) {
      if (event.type === 'outcome' && event.refusal !== undefined) throw new Error(`amend refused: ${event.refusal}`)
      if (event.type === 'traded') throw new Error('an amend away from the mid traded')
      if (event.type === 'order.closed') this.#open.forget(event.order)
    }
  }

  /** Executes a command. Returns its start in `into`. */
  #run(into: Records, command: object, at: number): number {
    const from = into.length
    encodeCommand(command as Command, { seq: this.#exchange.seq + 1, at, keyId: 1 }, into)
    this.#events.clear()
    this.#exchange.execute(into.data, from, this.#events)
    return from
  }

  /** Events of the last command. */
  #told(): readonly Event[] {
    return decodeEvents(this.#events.data, 0, this.#events.length)
  }

  #note(n: number, { kind, market, user, side, price, lots, order }: Plain): void {
    this.#plain.set([kind, market, user, side, price, lots, order], n * 7)
  }
}

const refOf = ({ user, market, order }: OpenOrder): object => ({ user, clientId: '', market, order, orderClientId: '' })

/** Writes a workload to a folder as raw slots. */
export function saveWorkload(folder: string, { setup, commands, offsets, plain }: Workload): void {
  const save = (name: string, bytes: Uint8Array): void => writeFileSync(join(folder, name), bytes)
  save('setup', setup.bytes())
  save('commands', commands.bytes())
  save('offsets', new Uint8Array(offsets.buffer))
  save('plain', new Uint8Array(plain.buffer))
}

/** Reads a workload written by `saveWorkload`. */
export function loadWorkload(folder: string): Omit<Workload, 'resting'> {
  const load = (name: string): Records => Records.from(readFileSync(join(folder, name)))
  return { setup: load('setup'), commands: load('commands'), offsets: load('offsets').data, plain: load('plain').data }
}

/** Command `n` in plain numbers. */
export function plainAt(plain: Float64Array, n: number): Plain {
  const [kind, market, user, side, price, lots, order] = plain.subarray(n * 7, n * 7 + 7) as unknown as [
    number,
    number,
    number,
    0 | 1,
    number,
    number,
    number,
  ]
  return { kind, market, user, side, price, lots, order }
}

/** Creates assets, markets, and users with more money than they can ever need. */
function prepare(run: (command: object) => void, markets: number): void {
  run({ type: 'asset.list', symbol: 'USDT', scale: 6 })
  run({
    type: 'fees.set',
    tiers: [
      { volumeMin: 0, makerPpm: 1000, takerPpm: 1000 },
      { volumeMin: 1e12, makerPpm: 900, takerPpm: 1000 },
      { volumeMin: 5e12, makerPpm: 800, takerPpm: 1000 },
      { volumeMin: 2e13, makerPpm: 400, takerPpm: 600 },
      { volumeMin: 1e14, makerPpm: 200, takerPpm: 400 },
    ],
  })
  const terms = {
    makerFeePpm: 1000,
    takerFeePpm: 1000,
    notionalMin: 0,
    lotsMin: 1,
    lotsMax: 1e9,
    bandPpm: 200_000,
    slippagePpm: 50_000,
    openOrdersMax: 200,
    isTrading: true,
  }
  for (let market = 1; market <= markets; market++) {
    run({ type: 'asset.list', symbol: `A${market}`, scale: 8 })
    run({ type: 'market.list', symbol: `A${market}USDT`, base: market + 1, quote: 1, tick: '0.1', lot: '0.00001', terms })
  }
  for (let user = 1; user <= users; user++) {
    run({ type: 'user.open', requestId: '', class: 'bench', referrer: 0 })
    for (let asset = 1; asset <= markets + 1; asset++) run({ type: 'funds.faucet', user, clientId: '', asset, amount: 4e11 })
  }
}

/** A small, fast random generator (mulberry32) that gives the same numbers on every machine. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
