/** A bus that loses messages at random, two engines one after the other, and three clients. */
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { Released } from '@candor/core/protocol/released.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Refused } from '../../../refused.ts'
import { Engine } from '../../engine.ts'
import { frameTypes } from '../../frames.ts'
import type { Link } from '../../link.ts'
import { engines, faucet } from '../../test/engines.ts'
import { until } from '../../test/held.ts'
import { openMarket, seeded } from '../../test/workload.ts'
import { leaseTimes } from '../../leader/lease.ts'
import { subjects } from '../subjects.ts'
import { BusWorld } from './world.ts'

const { newStore } = engines()
const clients = 3
const turnsOfEach = 12
const amount = 1_000_000
/** Bytes before the body of a message on a line. */
const lineHead = 24

/** Sends until there is an outcome. */
async function insist(link: Link, id: string): Promise<Outcome> {
  for (;;) {
    try {
      return await link.submit(faucet(id))
    } catch (cause) {
      assert.match((cause as Refused).refusal, /^(UNAVAILABLE|STATUS_UNKNOWN)$/)
      await sleep(20)
    }
  }
}

/** The batches of a client, checked to be without gap or repeat. */
class Followed {
  last = 0
  constructor(link: Link) {
    link.onReleased(({ firstSeq, lastSeq, events }: Released) => {
      if (this.last > 0 && firstSeq !== this.last + 1) this.gaps.push([this.last, firstSeq])
      this.last = lastSeq
      for (const event of events) if (event.type === 'outcome') this.outcomes.push(event.seq)
    })
  }
  readonly outcomes: number[] = []
  readonly gaps: (readonly [number, number])[] = []
}

test('CLUSTER-BUS-003: when a batch that a client missed is lost once more, no later one overtakes it', async () => {
  await using world = await BusWorld.start()
  const store = await newStore()
  await using engine = await Engine.start({ store })
  await world.serve(engine)
  const [link, other] = [await world.link(8_000), await world.link(8_000)]
  await openMarket(other.submit)
  const followed = new Followed(link)
  await insist(other, 'first')
  await until(() => followed.last === engine.seq)
  // A broadcast, and then the frame on the line that makes up for it.
  let losses = 0
  world.node.isLost = (subject, body) => {
    const isBroadcast = subject === subjects.released
    const isMissed =
      subject.startsWith('candor.client.') && body.length >= lineHead + 8 && body.readUInt32LE(lineHead + 4) === frameTypes.released
    if (losses === 0 ? !isBroadcast : losses === 1 ? !isMissed : true) return false
    losses++
    return true
  }
  await insist(other, 'missed')
  await until(() => losses === 2)
  await insist(other, 'last')
  await until(() => followed.last === engine.seq)
  assert.deepEqual(followed.gaps, [])
})

test('CLUSTER-BUS-003: whatever the bus loses, each command has one outcome and each client each batch once, also at a take-over', async () => {
  const random = seeded(2)
  await using world = await BusWorld.start()
  const store = await newStore()
  const ends: AsyncDisposable[] = []
  const begin = async (): Promise<Engine> => {
    const engine = new Engine({ store, standby: true, times: { ...leaseTimes, renewMs: 100 } })
    ends.push(engine)
    return engine
  }
  const first = await begin()
  await first.begin()
  const served = await world.serve(first)
  const links = await Promise.all(Array.from({ length: clients }, () => world.link(8_000)))
  await openMarket(links[0]!.submit)
  const followed = links.map((link) => new Followed(link))
  await until(() => followed.every(({ last }) => last >= 0))
  const before = await usdt(links[0]!)
  world.node.isLost = () => random() < 0.04
  const second = await begin()
  let isHot = false
  second.onState((state) => {
    isHot ||= state === 'standby'
  })
  const leads = second.begin()
  await until(() => isHot)
  const outcomes: Outcome[] = []
  const work = links.map(async (link, n) => {
    for (let turn = 0; turn < turnsOfEach; turn++) {
      const ids = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, k) => `c${n}-${turn}-${k}`)
      for (const outcome of await Promise.all(ids.map((id) => insist(link, id)))) outcomes.push(outcome)
    }
  })
  await until(() => outcomes.length > 30)
  served.stop()
  await first.stop()
  await leads
  await world.serve(second)
  await Promise.all(work)
  world.node.isLost = () => false
  assert.ok(outcomes.every(({ refusal }) => refusal === undefined))
  assert.equal((await usdt(links[0]!)) - before, outcomes.length * amount)
  await until(() => followed.every(({ last }) => last === second.seq))
  for (const { outcomes: seqs, gaps } of followed) {
    assert.deepEqual(gaps, [])
    assert.equal(new Set(seqs).size, seqs.length)
  }
  for (const end of ends) await end[Symbol.asyncDispose]()
})

async function usdt(link: Link): Promise<number> {
  let rows: Awaited<ReturnType<Link['ask']['balances']>> | undefined
  while (rows === undefined) rows = await link.ask.balances(1 as UserId).catch(() => sleep(20, undefined))
  return rows.reduce((sum, row) => (row.account.asset === 1 ? sum + row.available : sum), 0)
}
