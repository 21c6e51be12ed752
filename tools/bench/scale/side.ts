/**
 * One side of `scale.ts` in a process of its own: an exchange of a given size, and the cost to grow to it, to trade there, to dump and
 * to restore. Commands are generated a few thousand at a time, outside the measured time.
 */
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { compilerFlags } from '../../../core/compiler-flags.ts'
import { Exchange } from '../../../core/exchange/exchange.ts'
import { encodeCommand } from '../../../core/protocol/codec/command.ts'
import { lengthOf, Records } from '../../../core/protocol/codec/records.ts'
import type { Command } from '../../../core/protocol/command/index.ts'
import { processorMs } from './run.ts'
import { touches } from '../touches.ts'

export type Size = { readonly users: number; readonly assets: number; readonly markets: number; readonly orders: number }
/** `timings`: file for the milliseconds of each command of the growth; without it commands are executed in batches. */
export type Task = { readonly size: Size; readonly timings?: string }
export type Question = 'run' | 'touch' | 'dump'
export type Dumped = { readonly bytes: number; readonly dumpMs: number; readonly restoreMs: number; readonly isSame: boolean }
export type Grown = { readonly commands: number; readonly rssBytes: number }

const start = 1_750_000_000_000
const perBatch = 256
const perRun = 100_000
const mid = 10_000
const terms = {
  makerFeePpm: 1000,
  takerFeePpm: 1000,
  notionalMin: 0,
  lotsMin: 1,
  lotsMax: 1_000_000_000,
  bandPpm: 500_000,
  slippagePpm: 50_000,
  openOrdersMax: 200,
  isTrading: true,
}

for (const flag of compilerFlags) setFlagsFromString(flag)
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

export class Side {
  exchange = Exchange.create()
  readonly #size: Size
  readonly #commands = new Records(1 << 16)
  readonly #events = new Records(1 << 16)
  readonly #timings: Float32Array | undefined
  #count = 0
  #waiting = 0
  #seq = 0
  #state = 7
  /** Resting orders: the numbers in their client ids, and their users. */
  readonly #numbers: Int32Array
  readonly #owners: Int32Array
  #live = 0
  #order = 0

  constructor(size: Size, isTimed: boolean) {
    this.#size = size
    this.#numbers = new Int32Array(size.orders * 2)
    this.#owners = new Int32Array(size.orders * 2)
    this.#timings = isTimed ? new Float32Array(size.users * 4 + size.orders + 10_000) : undefined
  }

  grow(): void {
    const { users, assets, markets, orders } = this.#size
    for (let n = 1; n <= assets; n++) this.#add({ type: 'asset.list', symbol: n === 1 ? 'USDT' : `A${n}`, scale: 6 })
    for (let n = 1; n <= markets; n++) {
      this.#add({ type: 'market.list', symbol: `A${n + 1}USDT`, base: n + 1, quote: 1, tick: '0.01', lot: '0.01', terms })
    }
    for (let user = 1; user <= users; user++) {
      this.#add({ type: 'user.open', requestId: `u${user}`, class: 'retail', referrer: 0 })
      for (const asset of this.#assetsOf(user)) {
        this.#add({ type: 'funds.faucet', user, clientId: `f${asset}`, asset, amount: 1_000_000_000 })
      }
    }
    for (let n = 0; n < orders; n++) this.#place(1 + (n % users))
    this.#flush()
  }

  /** Processor time of one command of the mix (orders that rest, orders that take, cancels), in nanoseconds. */
  run(): number {
    const batches: { from: number; to: number }[] = []
    const all = new Records(perRun * 24)
    for (let n = 0; n < perRun; n += perBatch) {
      const from = all.length
      for (let i = 0; i < perBatch; i++) this.#mix()
      all.append(this.#commands.data, 0, this.#commands.length)
      this.#commands.clear()
      this.#waiting = 0
      batches.push({ from, to: all.length })
    }
    const before = process.cpuUsage()
    for (const { from, to } of batches) {
      this.#commands.clear()
      this.#events.clear()
      this.#commands.append(all.data, from, to)
      this.exchange.executeAll(this.#commands.data, 0, this.#commands.length, this.#events)
    }
    const { user, system } = process.cpuUsage(before)
    this.#commands.clear()
    return ((user + system) * 1000) / (batches.length * perBatch)
  }

  get count(): number {
    return this.#count
  }

  save(file: string): void {
    writeFileSync(file, new Uint8Array(this.#timings!.buffer, 0, this.#count * 4))
  }

  /** USDT, the base of the user's market, and any other asset. */
  #assetsOf(user: number): readonly number[] {
    const { assets, markets } = this.#size
    const base = 2 + (user % markets)
    const other = 2 + ((user * 7 + 3) % (assets - 1))
    return [1, base, other === base ? 2 + ((other - 1) % (assets - 1)) : other]
  }

  /** A tenth of the orders take; the others are placed and cancelled in turn, so that the number of resting orders stays the same. */
  #mix(): void {
    const user = 1 + Math.floor(this.#random() * this.#size.users)
    if (this.#random() < 0.1) return this.#send(user, -20, 'IOC')
    if (this.#random() < 0.5 || this.#live === 0) return this.#place(user)
    const n = Math.floor(this.#random() * this.#live)
    const [order, owner] = [this.#numbers[n]!, this.#owners[n]!]
    this.#live--
    this.#numbers[n] = this.#numbers[this.#live]!
    this.#owners[n] = this.#owners[this.#live]!
    const named = { orderClientId: `o${order}`, order: 0, market: this.#marketOf(owner) }
    this.#add({ type: 'spot.cancel', user: owner, clientId: `c${this.#seq}`, ...named })
  }

  /** Places an order that rests and remembers it for a cancel. If it is filled by then, the cancel is refused. */
  #place(user: number): void {
    if (this.#live === this.#numbers.length) return this.#send(user, -20, 'IOC')
    this.#numbers[this.#live] = this.#order
    this.#owners[this.#live++] = user
    this.#send(user, 1 + Math.floor(-Math.log(1 - this.#random()) * 300), 'GTC')
  }

  #send(user: number, distance: number, timeInForce: string): void {
    const side = this.#random() < 0.5 ? 'buy' : 'sell'
    const price = Math.max(1, side === 'buy' ? mid - distance : mid + distance)
    const n = this.#order++
    const shape = { orderType: 'limit', timeInForce, price, lots: 1 + (n % 9), isPostOnly: false, selfTrade: 'expire-taker' }
    this.#add({ type: 'spot.place', user, clientId: `o${n}`, market: this.#marketOf(user), side, ...shape })
  }

  #random(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return (this.#state >>> 1) / 2 ** 31
  }

  #marketOf(user: number): number {
    return 1 + (user % this.#size.markets)
  }

  #add(command: object): void {
    const stamp = { seq: ++this.#seq, at: start + Math.floor(this.#seq / 1000), keyId: 1 }
    encodeCommand(command as Command, stamp, this.#commands)
    if (++this.#waiting === perBatch && this.#order <= this.#size.orders && this.#isGrowing) this.#flush()
  }

  #isGrowing = true

  #flush(): void {
    const { data, length } = this.#commands
    this.#events.clear()
    if (this.#timings === undefined) this.exchange.executeAll(data, 0, length, this.#events)
    else {
      for (let at = 0; at < length; at += lengthOf(data[at]!)) {
        const before = processorMs()
        this.exchange.execute(data, at, this.#events)
        this.#timings[this.#count++] = processorMs() - before
      }
    }
    this.#commands.clear()
    this.#waiting = 0
    if (this.#order === this.#size.orders) this.#isGrowing = false
  }
}

if (import.meta.main) {
  const task = JSON.parse(process.argv[2]!) as Task
  const side = new Side(task.size, task.timings !== undefined)
  if (!side.exchange.reserve()) console.error('The system does not give the memory for all tables at once: large tables are copied')
  side.grow()
  const { sums, violations } = side.exchange.trialBalance()
  if (violations.length > 0 || sums.some((sum) => sum !== 0))
    throw new Error(`the ledger does not balance: ${violations.slice(0, 3).join()}`)
  if (task.timings !== undefined) {
    side.save(task.timings)
    process.exit(0)
  }
  collect()
  const grown = { commands: side.exchange.seq, rssBytes: process.memoryUsage().rss } satisfies Grown
  process.on('message', (question: Question) => {
    if (question === 'run') process.send!(side.run())
    else if (question === 'touch') process.send!(touches(task.size))
    else process.send!(dumped(side, (dump) => Exchange.restore(dump)))
  })
  process.send!(grown)
}

/** Dumps and restores the exchange, which is gone after this. */
export function dumped(side: Side, restore: (dump: Uint8Array) => Exchange): Dumped {
  let before = processorMs()
  const dump = side.exchange.dump()
  const dumpMs = processorMs() - before
  side.exchange = undefined as unknown as Exchange
  collect()
  before = processorMs()
  const copy = restore(dump)
  const restoreMs = processorMs() - before
  // The state's hash is that of its dump.
  return { bytes: dump.length, dumpMs, restoreMs, isSame: Buffer.compare(copy.dump(), dump) === 0 }
}
