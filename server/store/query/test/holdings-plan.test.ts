import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Store } from '../../open.ts'
import { readHoldings } from '../proof/holdings.ts'
import { fill } from '../../../proof/liabilities/test/world.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'

let server: ScratchServer
let store: Store
before(async () => {
  server = await startScratchServer()
  store = await server.store()
})
after(() => server[Symbol.asyncDispose]())

test('PROOF-LIABILITY-023: each read of a few customers reads their rows alone, also with the settings that PostgreSQL has by default', async () => {
  const users = 20_000
  await fill(store, users)
  await store.pool.query("insert into balances select n, 'spot', '', 'USDT', n, 0, 1 from generate_series(1, $1) n", [users])
  await store.pool.query('analyze')
  const client = await store.pool.connect()
  const plans: string[] = []
  const prepared = new Set<string>()
  const explaining = {
    query: async (
      asked: string | { readonly name: string; readonly text: string; readonly values: readonly number[] },
      values?: unknown[],
    ) => {
      if (typeof asked === 'string') return client.query(asked, values)
      if (!prepared.has(asked.name)) {
        prepared.add(asked.name)
        await client.query(`prepare ${asked.name} (bigint, bigint) as ${asked.text}`)
        const { rows } = await client.query(`explain (analyze, timing off) execute ${asked.name} (${asked.values.join()})`)
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      }
      return { rows: [] }
    },
  }
  await client.query('begin isolation level repeatable read read only')
  await client.query('set local random_page_cost = 4; set local jit = on; set local max_parallel_workers_per_gather = 2')
  await readHoldings(explaining as unknown as Parameters<typeof readHoldings>[0])
  await client.query('rollback')
  client.release(true)
  assert.equal(plans.length, 2)
  for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan on (core_users|accounts|balances)|JIT|Gather/)
})
