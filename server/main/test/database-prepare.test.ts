import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../../store/open.ts'
import { startScratchServer } from '../../store/test/scratch.ts'
import { databasePrepare } from '../commands/database.ts'
import { readSettings } from '../settings.ts'

test('CLUSTER-ROLES-002: an empty database is prepared for roles that start apart, once or again', async () => {
  await using scratch = await startScratchServer()
  const folder = scratch.folder
  const url = new URL(scratch.url)
  {
    await using admin = await openStore({ dataFolder: folder, databaseUrl: scratch.url, connections: 1 })
    await admin.pool.query('create database bare')
  }
  url.pathname = 'bare'
  const prepare = (environment: Readonly<Record<string, string>>) =>
    databasePrepare.run({ settings: readSettings({ CANDOR_DATA: folder, ...environment }, folder), operands: [], options: {} })
  const first = await prepare({ DATABASE_URL: url.href })
  assert.deepEqual(first.json, { users: ['engine', 'follower', 'gateway', 'backup'] })
  assert.deepEqual(await prepare({ DATABASE_URL: url.href }), first)
  await using store = await openStore({ dataFolder: folder, databaseUrl: url.href, connections: 1 })
  assert.equal((await store.pool.query('select count(*)::int as n from leader')).rows[0].n, 1)
  await assert.rejects(prepare({}), /DATABASE_URL is missing/)
})
