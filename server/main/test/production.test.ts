import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate } from '../../store/migrate.ts'
import { makeLogger, reachStore } from '../roles.ts'
import { startEngine } from '../role/engine.ts'
import { readSettings, type Settings } from '../settings.ts'

test('MARGIN-API-006: a new production exchange starts with margin trading and lending closed, and lends nothing of its own', async () => {
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

test('MAIN-PRODUCTION-001: data keeps the mode of its first start, and a start in the other one is refused', async () => {
  for (const [mine, other] of [['production', 'sandbox'] as const, ['sandbox', 'production'] as const]) {
    const dataFolder = mkdtempSync(join(tmpdir(), 'candor-production-'))
    const settings: Settings = { ...readSettings({ CANDOR_DATA: dataFolder }, dataFolder), logLevel: 'silent' }
    try {
      await using store = await reachStore(settings)
      await migrate(store)
      const start = (mode: Settings['mode']) =>
        startEngine({ settings: { ...settings, mode }, store, logger: makeLogger(settings, 'test') }, () => undefined)
      {
        await using engine = await start(mine)
        assert.equal(await engine.link.ask.mode(), mine)
        const { user } = await engine.link.submit({ type: 'user.open', requestId: 'one', class: 'retail', referrer: 0 as UserId })
        const given = await engine.link.submit({ type: 'funds.faucet', user, clientId: 'f', asset: 1 as AssetId, amount: 1 as Units })
        assert.equal(given.refusal, mine === 'production' ? 'SANDBOX_ONLY' : undefined)
      }
      await assert.rejects(
        async () => {
          await using _ = await start(other)
        },
        new RegExp(`can't run as ${other}`),
      )
      await (await start(mine))[Symbol.asyncDispose]()
    } finally {
      rmSync(dataFolder, { recursive: true, force: true })
    }
  }
})
