import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startExchange, type TestExchange } from '../../main/test/exchange.ts'
import { checkChain, snapshots } from '../../store/query/console/journal.ts'
import { trialAt, trialNow } from '../../store/query/console/trial.ts'
import { types } from '../../store/open.ts'
import { roleUrls } from '../../store/roles.ts'
import { assetSums } from '../ledger/sums.ts'

let exchange: TestExchange
let gateway: pg.Pool
before(async () => {
  exchange = await startExchange({ seed: 'journal', hasFeeds: false })
  gateway = new pg.Pool({ connectionString: roleUrls(exchange.store.url).gateway, types })
})
after(async () => {
  await gateway?.end()
  await exchange?.[Symbol.asyncDispose]()
})

test('CONSOLE-WATCH-005: the chain of any range is computed again, at most 2,000 batches at once, and a changed batch shows', async () => {
  await exchange.user({ funds: { USDT: '1000' } })
  const { seq } = await exchange.link.ask.head()
  const whole = { from: 0, to: seq, max: 2_000 }
  const found = await checkChain(gateway, whole)
  assert.deepEqual([found.last, found.broken], [seq, []])
  assert.ok(found.checked > 1)
  assert.equal((await checkChain(gateway, { ...whole, max: 1 })).checked, 1)
  const { pool } = exchange.store
  const [changed, kept] = [seq, (await pool.query('select payload from journal where seq = $1', [seq])).rows[0].payload as Buffer]
  const put = (payload: Buffer) => pool.query('update journal set payload = $2 where seq = $1', [changed, payload])
  const other = Buffer.from(kept)
  other[other.length - 1]! ^= 1
  await put(other)
  assert.deepEqual((await checkChain(gateway, whole)).broken, [changed])
  await put(kept)
  assert.deepEqual((await checkChain(gateway, whole)).broken, [])
})

test('CONSOLE-WATCH-006: the gateway’s user of the database reads no command of the journal', async () => {
  await gateway.query('select seq, hash from journal limit 1')
  await snapshots(gateway)
  await assert.rejects(gateway.query('select payload from journal limit 1'), { code: '42501' })
})

test('CONSOLE-WATCH-007: the ledger of a running exchange sums to zero per asset after each of its commands', async () => {
  const { seq } = await exchange.link.ask.head()
  for (;;) if ((await trialNow(gateway)).seq >= seq) break
  for (let at = 1; at <= seq; at++)
    for (const { asset, sum } of assetSums((await trialAt(gateway, at)).rows)) assert.equal(sum, '0', `${asset} after ${at}`)
})
