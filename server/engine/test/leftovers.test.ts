import type { Lots, Ticks } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { Engine } from '../engine.ts'
import { localLink } from '../local-link.ts'
import type { Link } from '../link.ts'
import { openMarket, userCount } from './workload.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const order = (user: number, side: 'buy' | 'sell', price: number, more: object = {}): Command =>
  commandOf({
    ...{ type: 'spot.place', user: user as UserId, clientId: '', market: 1 as MarketId, side, price: price as Ticks, lots: 100 as Lots },
    ...{ orderType: 'limit', timeInForce: 'GTC', isPostOnly: false, selfTrade: 'expire-taker' },
    ...more,
  })

/** Makes a market at 60,000 whose stops all wait for 59,000. */
async function flood(link: Link, stops: number): Promise<void> {
  await openMarket(link.submit)
  await link.submit(order(1, 'sell', 600_000))
  await link.submit(order(2, 'buy', 600_000))
  const trigger = { kind: 'stop', price: 590_000, direction: 'falls-to' }
  const places = Array.from({ length: stops }, (_, n) => order(1 + (n % userCount), 'sell', 600_000, { price: 550_000, trigger }))
  for (const { refusal } of await Promise.all(places.map((command) => link.submit(command)))) assert.equal(refusal, undefined)
}

/** Resolves when `stops` orders were triggered, with the positions of all commands that triggered any, and the count of their batches. */
function untilTriggered(link: Link, stops: number): Promise<{ readonly seqs: readonly number[]; readonly batches: number }> {
  return new Promise((resolve) => {
    const seqs: number[] = []
    let batches = 0
    let woken = 0
    let open: Event[] = []
    link.onReleased(({ events }) => {
      if (events.some(({ type }) => type === 'order.triggered')) batches++
      for (const event of events) {
        open.push(event)
        if (event.type !== 'outcome') continue
        const triggered = open.filter(({ type }) => type === 'order.triggered').length
        if (triggered > 0) seqs.push(event.seq)
        woken += triggered
        open = []
      }
      if (woken === stops) resolve({ seqs, batches })
    })
  })
}

test('ENGINE-LEFTOVER-001: work left over by a command runs back to back, without a pause between clock commands', async () => {
  await using store = await server.store()
  // No time passes, so no portion ends because of its time.
  const [wall, steady] = [Date.now(), performance.now()]
  await using engine = await Engine.start({ store, time: { wall: () => wall, steady: () => steady } })
  const link = localLink(engine)
  await flood(link, 3000)
  const all = untilTriggered(link, 3000)
  await link.submit(order(1, 'buy', 590_000))
  await link.submit(order(2, 'sell', 590_000))
  const { seqs, batches } = await all
  assert.ok(seqs.length >= 3000 / 32)
  assert.ok(batches <= 3, `${seqs.length} commands came in ${batches} batches`)
})

test('ENGINE-LEFTOVER-002: portions of leftover work alternate with arriving commands', async () => {
  await using store = await server.store()
  // Each reading of the clock takes a millisecond, so a portion has a few clock commands.
  let passed = 0
  const [wall, steady] = [Date.now(), performance.now()]
  await using engine = await Engine.start({ store, time: { wall: () => wall + passed, steady: () => steady + passed++ } })
  const link = localLink(engine)
  await flood(link, 3000)
  const all = untilTriggered(link, 3000)
  await link.submit(order(1, 'buy', 590_000))
  const other = commandOf({ type: 'funds.faucet', user: 9, clientId: 'meanwhile', asset: 1, amount: 1_000_000 })
  const [, after] = await Promise.all([link.submit(order(2, 'sell', 590_000)), link.submit(other)])
  const { seqs } = await all
  assert.ok(after.seq < (seqs.at(-1) as number), 'later callers do not wait for all of it')
})
