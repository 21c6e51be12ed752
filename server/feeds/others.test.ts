import assert from 'node:assert/strict'
import test from 'node:test'
import type { IndexTick } from '@candor/core/protocol/command/market.ts'
import { type FeedOptions, startFeeds } from './feeds.ts'
import { keepLog, keepTicks, listing, startVenue, until as untilWithin } from './test/world.ts'
import { binance } from './venue/binance.ts'

const everyMs = 50
const lateMs = 100
/** However busy the machine is. */
const until = (isSo: () => boolean): Promise<boolean> => untilWithin(isSo, 60_000)

type Taken = { readonly by: number; readonly at: number; readonly tick: IndexTick }

/** An exchange that two processes feed with prices of the same three venues. */
class Fed implements AsyncDisposable {
  readonly taken: Taken[] = []
  readonly #parts = new AsyncDisposableStack()
  readonly #listeners: (() => void)[][] = [[], []]
  #venues: NonNullable<FeedOptions['venues']> = []
  /** The one whose ticks count. */
  first = 0
  /** Whether the first process stands still. */
  isHeld = false
  price = 60_000

  async venues(): Promise<this> {
    for (let i = 0; i < 3; i++) {
      const host = await startVenue((socket, text) => {
        if (text === undefined) return
        const speak = (): void => {
          for (const symbol of ['BTCUSDT', 'ETHUSDT', 'ETHBTC'])
            socket.send(`{"u":1,"s":"${symbol}","b":"${this.price}","B":"1","a":"${this.price}","A":"1"}`)
        }
        speak()
        const timer = setInterval(speak, 20)
        socket.on('close', () => clearInterval(timer))
      })
      this.#parts.use(host)
      this.#venues = [...this.#venues, { ...binance, name: `loopback-${i}`, socketUrl: host.url }]
    }
    return this
  }

  async feed(by: number, mode: FeedOptions['mode'] = 'live'): Promise<void> {
    const { submit } = keepTicks()
    const feeds = await startFeeds({
      ...{ mode, seed: String(by), listing, log: keepLog(), venues: this.#venues, everyMs },
      submit: async (command) => {
        if (by === 0 && this.isHeld) throw new Error('it stands still')
        this.taken.push({ by, at: performance.now(), tick: command as IndexTick })
        return submit(command)
      },
      others: {
        isFirst: () => this.first === by && !(by === 0 && this.isHeld),
        tell: () => this.#listeners.forEach((listeners, to) => to !== by && listeners.forEach((listener) => listener())),
        hear: (listener) => void this.#listeners[by]!.push(listener),
      },
    })
    this.#parts.use(feeds)
  }

  of(by: number): readonly Taken[] {
    return this.taken.filter((one) => one.by === by)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync()
  }
}

test('FEEDS-SEVERAL-001: the second process sends a tick only where none came for an interval and 100 ms', async () => {
  await using fed = await new Fed().venues()
  await fed.feed(0)
  await fed.feed(1)
  await until(() => fed.of(0).length > 20)
  fed.isHeld = true
  await until(() => fed.of(1).length > 5)
  fed.isHeld = false
  const before = fed.of(0).length
  await until(() => fed.of(0).length > before + 20)
  for (const [i, { by, at }] of fed.taken.entries()) {
    const last = fed.taken[i - 1]
    if (by === 1 && last !== undefined) assert.ok(at - last.at >= everyMs + lateMs - 2, `a tick came ${at - last.at} ms after the last`)
  }
  assert.ok(fed.of(1).length > 5)
})

test('FEEDS-SEVERAL-002: after a tick from another process, the next one has the prices of all markets', async () => {
  await using fed = await new Fed().venues()
  await fed.feed(0)
  await fed.feed(1)
  fed.isHeld = true
  await until(() => fed.of(1).length > 2)
  assert.ok(fed.of(1).every(({ tick }) => tick.prices.length === 3))
  fed.isHeld = false
  const before = fed.of(0).length
  await until(() => fed.of(0).length > before)
  assert.equal(fed.of(0)[before]!.tick.prices.length, 3)
})

test('FEEDS-SEVERAL-003: a simulated market fills in for no other one', async () => {
  await using fed = new Fed()
  await fed.feed(0, 'simulated')
  await fed.feed(1, 'simulated')
  fed.isHeld = true
  const begun = performance.now()
  await until(() => performance.now() - begun > 10 * (everyMs + lateMs))
  assert.equal(fed.of(1).length, 0)
  fed.first = 1
  await until(() => fed.of(1).length > 2)
})
