import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { WireDepth, WireLevel } from '@candor/core/protocol/wire/market.ts'
import type { DepthUpdate } from '@candor/core/protocol/wire/stream.ts'
import type { ConnectionState } from './connection.ts'
import { depthAfter, openDepth, type Depth } from './depth.ts'
import { compareDecimals } from './levels.ts'
import type { Stream } from './stream.ts'

/** A stream whose messages the test sends by hand. */
function handStream() {
  const listeners = new Set<(data: DepthUpdate) => void>()
  const stateListeners = new Set<(state: ConnectionState) => void>()
  let state: ConnectionState = 'open'
  return {
    stream: {
      get state() {
        return state
      },
      lastMessageAt: 0,
      subscribe(_channel: string, listener: (data: DepthUpdate) => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      onState(listener: (state: ConnectionState) => void) {
        stateListeners.add(listener)
        return () => stateListeners.delete(listener)
      },
      reconnect: () => undefined,
      close: () => undefined,
    } as unknown as Stream,
    change(U: number, u: number, b: WireLevel[] = [], a: WireLevel[] = []) {
      const update: DepthUpdate = { e: 'depthUpdate', E: 1, s: 'BTCUSDT', U, u, b, a }
      for (const listener of listeners) listener(update)
    },
    become(next: ConnectionState) {
      state = next
      for (const listener of stateListeners) listener(next)
    },
    listeners,
  }
}

function world(snapshots: (WireDepth | Error)[]) {
  const hand = handStream()
  const seen: Depth[] = []
  const live: boolean[] = []
  let asked = 0
  const depth = openDepth({
    stream: hand.stream,
    symbol: 'BTCUSDT',
    retryMs: 5,
    snapshot: async () => {
      const next = snapshots[Math.min(asked++, snapshots.length - 1)]
      if (next instanceof Error) throw next
      return next
    },
    onChange: (book) => seen.push(book),
    onLive: (isLive) => live.push(isLive),
  })
  return { ...hand, seen, live, depth, asked: () => asked, settle: (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms)) }
}

const snapshot = (update: number, bids: WireLevel[] = [['100', '1']], asks: WireLevel[] = [['101', '1']]): WireDepth => ({
  symbol: 'BTCUSDT',
  update,
  bids,
  asks,
})

test('changes that came before the snapshot are applied when newer, dropped when older', async () => {
  const { change, seen, settle, depth } = world([snapshot(10)])
  change(8, 10, [['99', '9']])
  change(11, 12, [['99', '2']])
  await settle()
  assert.deepEqual(seen.at(-1), {
    bids: [
      ['100', '1'],
      ['99', '2'],
    ],
    asks: [['101', '1']],
    update: 12,
  })
  change(12, 12, [['98', '9']])
  change(
    13,
    14,
    [['100', '0']],
    [
      ['101', '0.0'],
      ['100.5', '3'],
    ],
  )
  assert.deepEqual(seen.at(-1), { bids: [['99', '2']], asks: [['100.5', '3']], update: 14 })
  depth.close()
})

test('a change that overlaps the known updates applies', async () => {
  const { change, seen, settle, depth } = world([snapshot(10)])
  await settle()
  change(9, 11, [['99', '5']])
  assert.equal(seen.at(-1)?.update, 11)
  depth.close()
})

test('a gap is reported, and the book is read again', async () => {
  const { change, seen, live, settle, depth, asked } = world([snapshot(10), snapshot(20, [['90', '1']])])
  await settle()
  change(12, 13, [['99', '5']])
  assert.deepEqual(live, [true, false])
  await settle()
  assert.equal(asked(), 2)
  assert.deepEqual(live, [true, false, true])
  assert.deepEqual(seen.at(-1)?.bids, [['90', '1']])
  depth.close()
})

test('a snapshot older than the first change is read again', async () => {
  const { change, seen, settle, depth, asked } = world([snapshot(5), snapshot(12)])
  change(10, 11)
  await settle()
  assert.equal(seen.length, 0)
  await settle(15)
  assert.equal(asked(), 2)
  assert.equal(seen.at(-1)?.update, 12)
  depth.close()
})

test('a failed snapshot is requested again', async () => {
  const { seen, settle, depth } = world([new Error('offline'), snapshot(3)])
  await settle(20)
  assert.equal(seen.at(-1)?.update, 3)
  depth.close()
})

test('after a lost socket the book is not live until it is read again; after close nothing happens', async () => {
  const { become, change, seen, live, settle, depth, asked, listeners } = world([snapshot(10), snapshot(30)])
  await settle()
  become('connecting')
  assert.deepEqual(live, [true, false])
  become('open')
  await settle()
  assert.deepEqual(live, [true, false, true])
  assert.equal(seen.at(-1)?.update, 30)
  depth.close()
  change(31, 31, [['1', '1']])
  become('connecting')
  become('open')
  await settle()
  assert.equal(asked(), 2)
  assert.equal(listeners.size, 0)
})

test('any changes give the same book as a plain map that is sorted', () => {
  const level = fc.tuple(
    fc.integer({ min: 1, max: 40 }).map((n) => (n / 4).toFixed(2)),
    fc.constantFrom('0', '0.00', '1', '2.5'),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(level), fc.array(level))), (changes) => {
      let book: Depth = { bids: [], asks: [], update: 0 }
      const naive = { bids: new Map<number, string>(), asks: new Map<number, string>() }
      for (const [index, [b, a]] of changes.entries()) {
        book = depthAfter(book, { b, a, U: index + 1, u: index + 1 }) as Depth
        for (const [side, levels] of [
          ['bids', b],
          ['asks', a],
        ] as const) {
          for (const [price, quantity] of levels) {
            if (Number(quantity) === 0) naive[side].delete(Number(price))
            else naive[side].set(Number(price), quantity)
          }
        }
      }
      const sorted = (map: Map<number, string>, sign: number) => [...map].sort(([x], [y]) => (x - y) * sign)
      assert.deepEqual(
        book.bids.map(([p, q]) => [Number(p), q]),
        sorted(naive.bids, -1),
      )
      assert.deepEqual(
        book.asks.map(([p, q]) => [Number(p), q]),
        sorted(naive.asks, 1),
      )
    }),
  )
})

test('decimals compare by value, whatever zeros they have', () => {
  for (const [a, b, sign] of [
    ['9', '10', -1],
    ['1.10', '1.1', 0],
    ['1', '1.000', 0],
    ['0.00000001', '0.00000002', -1],
    ['61837.63', '61837.7', -1],
    ['100.5', '99.99', 1],
  ] as const) {
    assert.equal(Math.sign(compareDecimals(a, b)), sign, `${a} ${b}`)
  }
})
