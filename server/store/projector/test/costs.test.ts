import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { decodeEvent, eventLength } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { readJournal } from '../../../journal/read.ts'
import { replayRow } from '../../../journal/replay.ts'
import { emptyHead } from '../../../journal/row.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { startProjector } from '../projector.ts'
import { CostTwin } from './cost-twin.ts'
import { openingCommands } from './workload.ts'
import { WrittenJournal } from './written-journal.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

for (const seed of [5, 6]) {
  test(`PORTFOLIO-COST-002: with seed ${seed}, the table of costs is that of a twin that counts from the first event, after restarts too`, async () => {
    const store = await server.store()
    const written = new WrittenJournal(store.pool, seed)
    await written.append(pricedOpening())
    for (let round = 0; round < 3; round++) {
      await written.trade(100, 20, 20_000)
      await using projector = await startProjector({ store, rowsMax: 300 })
      await projector.reached(written.seq)
    }
    const twin = await twinOf(store.pool)
    const expected = [...twin.costs()].map(([key, cost]) => [key, ...Object.values(cost).map(String)].join(' '))
    const { rows } = await store.pool.query<{ line: string }>(
      `select concat_ws(' ', user_id, asset, (quantity * 1e8)::numeric(60, 0), (cost * 1e6)::numeric(60, 0), (realised * 1e6)::numeric(60, 0),
         (debt * 1e8)::numeric(60, 0), (debt_cost * 1e6)::numeric(60, 0), is_partial::text) as line from holding_costs`,
    )
    assert.deepEqual(rows.map(({ line }) => line).sort(), expected.sort())
    const busy = expected.filter((line) => line.split(' ')[4] !== '0')
    assert.ok(busy.length > 20, `only ${busy.length} users realised anything`)
  })

  test(`PORTFOLIO-COST-003: with seed ${seed}, the table has the coins that the core has in all accounts of a user, and their debts`, async () => {
    const store = await server.store()
    const written = new WrittenJournal(store.pool, seed)
    await written.append(pricedOpening())
    await written.trade(200, 20, 20_000)
    await using projector = await startProjector({ store })
    await projector.reached(written.seq)
    const { rows } = await store.pool.query<{ user: UserId; asset: number; quantity: number; debt: number }>(
      `select user_id as "user", id as asset, (quantity * 1e8)::float8 as quantity, (debt * 1e8)::float8 as debt
       from holding_costs join assets on symbol = asset`,
    )
    const { exchange } = written
    let debts = 0
    for (let user = 1 as UserId; user <= exchange.userCount; user++) {
      if (user % 4 === 0) continue
      for (const asset of [2, 3]) {
        const held = exchange.balances(user).filter(({ account }) => account.asset === asset)
        const quantity = held.reduce((sum, one) => sum + one.available + one.held, 0)
        const owing = exchange.marginHoldings(user).flatMap(({ balances }) => balances.filter((one) => one.asset === asset))
        const debt = owing.reduce((sum, { principal, interest }) => sum + principal + interest, 0)
        const row = rows.find((one) => one.user === user && one.asset === asset)
        assert.deepEqual([user, asset, row?.quantity ?? 0, row?.debt ?? 0], [user, asset, quantity, debt])
        debts += debt
      }
    }
    assert.ok(debts > 0, 'nobody owes a coin')
  })
}

/** The usual opening with its index prices before the money, so that the money has a price. */
function pricedOpening(): readonly Command[] {
  const all = openingCommands()
  const tick = all.find(({ type }) => type === 'index.tick') as Command
  const others = all.filter((command) => command !== tick)
  const first = others.findIndex(({ type }) => type === 'user.open')
  return [...others.slice(0, first), tick, ...others.slice(first)]
}

async function twinOf(pool: pg.Pool): Promise<CostTwin> {
  const [twin, exchange, records] = [new CostTwin(), Exchange.create(), new Records()]
  for await (const row of readJournal(pool, emptyHead)) {
    replayRow(exchange, row, records)
    let events: Event[] = []
    for (let at = 0; at < records.length; at += eventLength(records.data, at, records.length)) {
      events.push(decodeEvent(records.data, at))
      if (events.at(-1)?.type !== 'outcome') continue
      twin.add(events)
      events = []
    }
  }
  return twin
}
