import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Several, startSeveral } from './several.ts'

let several: Several
const lines: string[] = []
before(async () => {
  several = await startSeveral((line) => lines.push(line))
})
after(() => several[Symbol.asyncDispose]())

const seqOf = async (): Promise<number> => (await several.store.pool.query('select seq from projection')).rows[0].seq
const weightAt = async (url: string): Promise<number> => Number((await fetch(`${url}/api/v3/time`)).headers.get('x-mbx-used-weight-1m'))

test('GATEWAY-SHARED-001: the header of one gateway shows what was used at another one', async () => {
  const [a, b] = several.urls
  const [start, minute] = [await weightAt(b), Math.floor(Date.now() / 60_000)]
  for (let i = 0; i < 20; i++) await weightAt(a)
  let seen = 0
  // A minute that ends meanwhile begins at zero.
  while (seen < start + 21 && Math.floor(Date.now() / 60_000) === minute) {
    seen = await weightAt(b)
    await sleep(50)
  }
  assert.ok(seen >= start + 21 || Math.floor(Date.now() / 60_000) !== minute)
})

test('HISTORY-SEAT-006: when the follower is killed, the waiting one goes on with tables and prices within seconds', async (t) => {
  const before = await seqOf()
  while ((await seqOf()) === before) await sleep(20)
  const { follower } = several.tree.pids()
  const begun = performance.now()
  process.kill(follower!, 'SIGKILL')
  const killedAt = await seqOf()
  while ((await seqOf()) <= killedAt + 4) await sleep(20)
  t.diagnostic(`the tables go on after ${Math.round(performance.now() - begun)} ms`)
  const holder = `select count(*)::int as count from pg_locks where locktype = 'advisory' and granted and
    objid = (hashtext('candor follower')::bigint & 4294967295)::oid`
  assert.equal((await several.store.pool.query(holder)).rows[0].count, 1)
  // The one that was started again waits.
  while (several.tree.pids()['follower'] === follower) await sleep(20)
  process.kill(several.tree.pids()['follower']!, 0)
  assert.equal(several.second.follower.exitCode, null)
})
