import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate } from '../../store/migrate.ts'
import { makeLogger, reachStore, startEngine } from '../roles.ts'
import { readSettings, type Settings } from '../settings.ts'

test('MARGIN-API-006: a new production exchange begins with lever trading and lending closed, and lends nothing of its own', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'candor-production-'))
  const settings: Settings = { ...readSettings({ CANDOR_DATA: dataFolder }, dataFolder), mode: 'production', logLevel: 'silent' }
  try {
    await using store = await reachStore(settings)
    await migrate(store)
    await using engine = await startEngine({ settings, store, logger: makeLogger(settings, 'test') }, () => undefined)
    assert.equal((await engine.link.ask.marginTerms())?.isOpen, false)
    const pools = await engine.link.ask.pools()
    assert.deepEqual([pools.length, pools.filter(({ supplied }) => supplied !== 0)], [13, []])
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
})

test('MAIN-PRODUCTION-001: production does not start on data that has given out practice funds', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'candor-production-'))
  const settings: Settings = { ...readSettings({ CANDOR_DATA: dataFolder }, dataFolder), logLevel: 'silent' }
  try {
    await using store = await reachStore(settings)
    await migrate(store)
    const start = (mode: Settings['mode']) =>
      startEngine({ settings: { ...settings, mode }, store, logger: makeLogger(settings, 'test') }, () => undefined)
    await (await start('production'))[Symbol.asyncDispose]()
    {
      await using sandbox = await start('sandbox')
      const { user } = await sandbox.link.submit({ type: 'user.open', requestId: 'one', class: 'retail', referrer: 0 as UserId })
      await sandbox.link.submit({ type: 'funds.faucet', user, clientId: 'f', asset: 1 as AssetId, amount: 1_000_000 as Units })
    }
    await assert.rejects(async () => {
      await using _ = await start('production')
    }, /practice funds/)
    await (await start('sandbox'))[Symbol.asyncDispose]()
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
})
