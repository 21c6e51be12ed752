import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'
import { CommandFault } from '../command.ts'
import { listingCommands, readMarketFile } from '../market-file.ts'
import { root } from '../settings.ts'

const page = readFileSync(join(root, 'docs', 'markets.md'), 'utf8')
const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] as string
const usdt = { id: 1, symbol: 'USDT', scale: 6 } as Asset
const bitcoin = { id: 2, symbol: 'BTC', scale: 8 } as Asset
const listed = { assets: [usdt, bitcoin], markets: [{ symbol: 'BTCUSDT' } as Market] }
const changed = (change: object): string => JSON.stringify({ ...JSON.parse(example), ...change })

test('MAIN-MARKET-001: a file lists a market that the core accepts, its new coin first', () => {
  const commands = listingCommands(readMarketFile(example), { assets: [usdt], markets: [] })
  assert.deepEqual(
    commands.map(({ type }) => type),
    ['asset.list', 'market.list'],
  )
  const exchange = Exchange.create()
  let seq = 0
  const refusals = [{ type: 'asset.list', symbol: 'USDT', scale: 6 } as const, ...commands].map((command: Command) => {
    const [asked, told] = [new Records(), new Records()]
    encodeCommand(command, { seq: ++seq, at: 1_000 + seq, keyId: 0 }, asked)
    exchange.execute(asked.data, 0, told)
    return decodeEvents(told.data, 0, told.length).flatMap((event) => (event.type === 'outcome' ? [event.refusal] : []))
  })
  assert.deepEqual(refusals.flat(), [undefined, undefined, undefined])
  const [market] = exchange.listing().markets
  assert.deepEqual([market?.symbol, market?.tick, market?.lot, market?.quotePerTickLot], ['ATOMUSDT', '0.001', '0.01', 10])
  assert.deepEqual([market?.terms.notionalMin, market?.terms.lotsMax, market?.terms.takerFeePpm], [5_000_000, 10_000_000, 1_000])
})

test('MAIN-MARKET-002: a wrong file lists nothing, and the error names the first wrong field', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['{', /not JSON/],
    ['[]', /The file: /],
    [changed({ colour: 'red' }), /colour/],
    [changed({ tick: '0' }), /^tick: /],
    [changed({ tick: '0.0000000001', lot: '100000' }), /^tick: /],
    [changed({ lot: '1e-3' }), /^lot: /],
    [changed({ terms: { takerFeePpm: -1 } }), /^terms\.takerFeePpm: /],
    [changed({ terms: { takerFeePpm: 200_000 } }), /^terms: /],
    [changed({ terms: { bandPpm: 0 } }), /^terms: /],
    [changed({ terms: { quantityMin: '0.001' } }), /^terms\.quantityMin: /],
    [changed({ terms: { notionalMin: '0.0000001' } }), /^terms\.notionalMin: /],
    [changed({ symbol: 'BTCUSDT' }), /already listed/],
    [changed({ base: 'USDT', baseScale: 6 }), /the same/],
    [changed({ base: 'BTC', baseScale: 6 }), /^baseScale: /],
    [changed({ base: 'lower' }), /^base: /],
    [JSON.stringify({ ...JSON.parse(example), baseScale: undefined }), /^base: /],
    [changed({ quote: 'EUR' }), /^quote: /],
    [changed({ lot: '0.0000001' }), /^lot: /],
    [changed({ tick: '0.00001' }), /^tick × lot: /],
  ]
  for (const [text, expected] of wrong) {
    assert.throws(
      () => listingCommands(readMarketFile(text), listed),
      (fault: Error) => fault instanceof CommandFault && expected.test(fault.message),
      `${text} ${expected}`,
    )
  }
})

test('MAIN-MARKET-003: the largest quantity of a market without one of its own fits into an order', () => {
  const file = readMarketFile(changed({ base: 'BTC', baseScale: 8, lot: '1', tick: '0.000001', terms: {} }))
  const [command] = listingCommands(file, listed)
  assert.ok(command?.type === 'market.list')
  assert.equal(command.terms.lotsMax, Math.floor(2 ** 52 / 100_000_000))
})
