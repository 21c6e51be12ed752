import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Store } from '../../open.ts'
import { packId } from '../../request-block.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { recordedIds, recordedRequest } from '../request-blocks.ts'

let server: ScratchServer
let store: Store
before(async () => {
  server = await startScratchServer()
  store = await server.store()
})
after(() => server[Symbol.asyncDispose]())

const high = (n: number): number => n * 40_503 - 2 ** 31

test('GATEWAY-ONCE-001: old client ids that had rows of their own are answered from blocks', async () => {
  const { pool, db } = store
  const { up: before } = await import('../../migrations/078-request-ids.ts')
  const { up } = await import('../../migrations/080-request-blocks.ts')
  await pool.query('drop table request_blocks, recorded_users')
  await before(db as unknown as Kysely<unknown>)
  const columns = 'user_id, id_low, id_high, body_low, body_high, number, refusal, seq, at_ms'
  await pool.query(
    `insert into request_ids (${columns})
     select u, n, n * 40503 - 2147483648, -n, n, 9007199254730000 + n, n % 40, 1000 + n, 5000 + n from generate_series(1, 2) u, generate_series(1, 5000) n`,
  )
  await up(db as unknown as Kysely<unknown>)

  const seen = new Set<number>()
  for (const { ids } of await recordedIds(pool, 2, 1e9)) for (let at = 0; at < ids.length; at += 8) seen.add(ids.readInt32BE(at))
  assert.equal(seen.size, 5_000)
  for (const n of [1, 2_048, 2_049, 5_000]) {
    const found = await recordedRequest(pool, 2, packId(n, high(n)), [
      { from: 0, to: 5_000 },
      { from: 5_001, to: 10_000 },
    ])
    assert.deepEqual(found && { ...found, seq: 0, at: 0 }, {
      bodyLow: -n,
      bodyHigh: n,
      number: 9_007_199_254_730_000 + n,
      refusal: n % 40,
      seq: 0,
      at: 0,
    })
    assert.ok(found!.seq >= 1_000 + n && found!.at >= 5_000 + n)
    assert.equal(await recordedRequest(pool, 3, packId(n, high(n)), [{ from: 0, to: 10_000 }]), undefined)
  }
})
