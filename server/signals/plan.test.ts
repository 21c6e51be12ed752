import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lots } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireSignalTerms } from '@candor/core/protocol/wire/own/signals.ts'
import { alertOf } from './alert.ts'
import { type Parts, planOf } from './plan.ts'

const terms = { symbols: ['ETHUSDTPERP'], maxQuote: '1', perMinute: 1, perDay: 1, maxAgeSeconds: 1, ips: [] } as unknown as WireSignalTerms

test('SIGNAL-ORDER-007: of a position that is larger than an order may be, one alert closes as much as one order can', async () => {
  for (const [held, side, closed] of [
    [70, 'sell', 70],
    [-100, 'buy', 100],
    [101, 'sell', 100],
    [-5_000, 'buy', 100],
  ] as const) {
    const market = { market: { id: 3, symbol: 'ETHUSDTPERP', perp: {}, terms: { lotsMax: 100 as Lots } }, quote: { symbol: 'USDT' } }
    const parts = {
      listing: { marketNamedIfAny: () => market },
      ask: { perpAccount: async () => ({ isHedge: false, positions: [{ market: 3, lots: held }] }) },
    } as unknown as Parts
    const { command } = await planOf(parts, 1 as UserId, terms, alertOf('{"symbol":"ETHUSDT.P","side":"close"}', undefined))
    assert.deepEqual([command.side, command.lots, 'isReduceOnly' in command && command.isReduceOnly], [side, closed, true])
  }
})
