import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { Engine } from '../engine.ts'
import type { Link } from '../link.ts'
import { localLink } from '../local-link.ts'
import { silenceMaxMs } from '../silence.ts'
import { openMarket } from './workload.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

/** A clock that stands still until the test moves it. */
class Clock {
  nowMs = Date.now()
  wall = (): number => this.nowMs
  steady = (): number => this.nowMs
}

const tick = (price: number): Command =>
  ({ type: 'index.tick', prices: [{ market: 1, price, sources: 4, isGood: true }] }) as unknown as Command
const nothing = commandOf({ type: 'clock.tick' })
const isGood = (engine: Engine): Promise<boolean> => engine.ask((exchange) => exchange.goodPrices().length === 1)

function ticksOf(link: Link): Event[] {
  const seen: Event[] = []
  link.onReleased(({ events }) => seen.push(...events.filter(({ type }) => type === 'index.ticked')))
  return seen
}

test('ENGINE-SILENCE-001: prices without confirmation for more than 3 s are marked as not good before any other decision', async () => {
  const time = new Clock()
  await using store = await server.store()
  await using engine = await Engine.start({ store, time, silenceMaxMs })
  const link = localLink(engine)
  await openMarket(link.submit)
  await link.submit(tick(6e12))
  const seen = ticksOf(link)
  time.nowMs += silenceMaxMs
  await link.submit(nothing)
  assert.equal(await isGood(engine), true)
  time.nowMs += 1
  await link.submit(nothing)
  assert.equal(await isGood(engine), false)
  assert.deepEqual(
    seen.map((event) => event.type === 'index.ticked' && [event.price, event.sources, event.isGood]),
    [[6e12, 0, false]],
  )
  // No further command comes while no price is good, however long that takes.
  for (let n = 0; n < 3; n++) {
    time.nowMs += 10 * silenceMaxMs
    await link.submit(nothing)
  }
  assert.equal(seen.length, 1)
  await link.submit(tick(6.1e12))
  assert.equal(await isGood(engine), true)
})

test('ENGINE-SILENCE-001: the clock alone notices the silence, without any command', async () => {
  await using store = await server.store()
  await using engine = await Engine.start({ store, silenceMaxMs: 50 })
  const link = localLink(engine)
  await openMarket(link.submit)
  const lost = new Promise<void>((resolve) => {
    link.onReleased(({ events }) => events.some((event) => event.type === 'index.ticked' && !event.isGood) && resolve())
  })
  await link.submit(tick(6e12))
  await lost
  assert.equal(await isGood(engine), false)
})

test('ENGINE-SILENCE-002: after a standstill the outage counts from the moment at which the silence became too long', async () => {
  await using store = await server.store()
  const time = new Clock()
  const tickedAt = await (async () => {
    await using engine = await Engine.start({ store, time, silenceMaxMs })
    const link = localLink(engine)
    await openMarket(link.submit)
    await link.submit(tick(6e12))
    return time.nowMs
  })()
  time.nowMs += 60_000
  await using engine = await Engine.start({ store, time, silenceMaxMs })
  const link = localLink(engine)
  const seen: { at: number; type: string }[] = []
  link.onReleased(({ events }) => {
    let types: string[] = []
    for (const event of events) {
      if (event.type !== 'outcome') types.push(event.type)
      else {
        seen.push(...types.map((type) => ({ at: event.at, type })))
        types = []
      }
    }
  })
  await link.submit(tick(5e12))
  assert.deepEqual(
    seen.filter(({ type }) => type === 'index.ticked').map(({ at }) => at - tickedAt),
    [silenceMaxMs + 1, 60_000],
  )
})
