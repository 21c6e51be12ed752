import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Mode } from '@candor/core/protocol/command/mode.ts'
import type { OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { Ask, Outcome, Submit } from '@candor/core/protocol/port.ts'
import { setFirstMargin } from '../first-margin.ts'
import { setFirstOption } from '../first-option.ts'
import { listFirstContracts } from '../first-perp.ts'
import { listFirstMarkets } from '../first-start.ts'

/** A core without a journal. Its first asset is listed. */
async function core(mode: Mode): Promise<{ readonly exchange: Exchange; readonly submit: Submit; readonly ask: Ask }> {
  const exchange = Exchange.create()
  const submit: Submit = (command) => {
    const [commands, events] = [new Records(), new Records()]
    encodeCommand(command, { seq: exchange.seq + 1, at: 1_790_000_000_000, keyId: 0 }, commands)
    exchange.execute(commands.data, 0, events)
    const list = decodeEvents(events.data, 0, events.length)
    return Promise.resolve({ ...(list.at(-1) as OutcomeEvent), events: list } as Outcome)
  }
  const ask = {
    listing: () => Promise.resolve(exchange.listing()),
    marginTerms: () => Promise.resolve(exchange.marginTerms()),
    optionTerms: () => Promise.resolve(exchange.optionTerms()),
  } as unknown as Ask
  await submit({ type: 'mode.set', mode })
  await submit({ type: 'asset.list', symbol: 'USDT', scale: 6 })
  return { exchange, submit, ask }
}

async function begin({ submit, ask }: Awaited<ReturnType<typeof core>>, mode: Mode): Promise<boolean> {
  const hasListed = await listFirstMarkets(submit, ask)
  await listFirstContracts(submit, ask, mode, 0)
  await setFirstMargin(submit, ask, mode)
  await setFirstOption(submit, ask, mode)
  return hasListed
}

const newcomer = { type: 'user.open', requestId: 'one', class: 'retail', referrer: 0 } as unknown as Command

test('MARKET-OPERATE-005: a start completes the listing in production before the first user, and in a sandbox always', async () => {
  for (const mode of ['production', 'sandbox'] as const) {
    const world = await core(mode)
    if (mode === 'sandbox') await world.submit(newcomer)
    assert.equal(await begin(world, mode), true)
    assert.ok(world.exchange.listing().markets.length > 20)
    assert.ok(world.exchange.marginTerms() !== null && world.exchange.optionTerms().terms !== null)
    assert.equal(await begin(world, mode), false)
  }
})

test('MARKET-OPERATE-005: once there is a user in production, a start leaves new markets and terms to a decision, and goes on', async () => {
  const world = await core('production')
  await world.submit(newcomer)
  assert.equal(await begin(world, 'production'), false)
  const { assets, markets } = world.exchange.listing()
  assert.deepEqual([assets.length, markets.length, world.exchange.marginTerms()], [1, 0, null])
})
