/** Changes of leverage and margin while funding is settled, while a liquidation waits, and of margins that are too thin. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis, Ticks } from '../../../money/brand.ts'
import { encodeCommand } from '../../../protocol/codec/command.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { Command } from '../../../protocol/command/index.ts'
import type { UserId } from '../../../protocol/ids.ts'
import { adjustMargin } from '../handlers/adjust-margin.ts'
import { setLeverage } from '../handlers/settings.ts'
import { Round } from '../records/round.ts'
import { checkPosition } from '../rules/checks.ts'
import { LONG, SHORT } from '../records/state.ts'
import { Alone } from './alone.ts'

const user = 1 as UserId

function encoded(command: object): Float64Array {
  const commands = new Records()
  encodeCommand(command as Command, { seq: 1, at: 1, keyId: 0 }, commands)
  return commands.data
}

/** Adds to the margin of the user's position in market 3. */
function adjust({ x }: Alone, amount: number): string | undefined {
  return adjustMargin(x, encoded({ type: 'perp.adjustMargin', user, clientId: '', market: 3, position: 'both', amount }), 0)
}

function setsLeverage({ x }: Alone, leverage: number): string | undefined {
  x.setCertified(user, true)
  return setLeverage(x, encoded({ type: 'perp.setLeverage', user, market: 3, leverage }), 0)
}

/** Longs pay 0.5 % of their value of 1,000. */
function funds({ contract }: Alone): void {
  contract.rounds = 1
  contract.round = new Round(5_000_000, 100 as Ticks, 0 as Millis)
}

test('PERP-LIQUIDATION-005: a position that waits for a liquidation step takes more margin, and gives none back', () => {
  const alone = new Alone()
  const holding = alone.opens(user, 10, 100, 500)
  holding.setting.leverage = 10
  holding.isLiquidating = true
  assert.equal(adjust(alone, -1), 'POSITION_LIQUIDATING')
  assert.equal(adjust(alone, 1), undefined)
  assert.deepEqual([holding.margin, alone.has(user)], [501, [0, 501]])
})

test('PERP-LIQUIDATION-005: a cross account that waits for a step takes no order for any position, and isolated positions wait apart', () => {
  const refusal = (isCross: boolean, isAccount: boolean): string | undefined => {
    const holding = new Alone().opens(user, 10, 100, 500, isCross ? { isCross } : {})
    if (isAccount) holding.account.isLiquidating = true
    else holding.isLiquidating = true
    return checkPosition(holding, false)
  }
  assert.deepEqual([refusal(true, true), refusal(false, false)], ['POSITION_LIQUIDATING', 'POSITION_LIQUIDATING'])
  assert.equal(refusal(false, true), undefined)
})

test('PERP-FUNDING-005: funding that is due is paid before margin is added', () => {
  const alone = new Alone()
  const holding = alone.opens(user, 10, 100, 500)
  alone.pays(user, 6)
  funds(alone)
  assert.equal(adjust(alone, 3), 'INSUFFICIENT_BALANCE')
  assert.equal(adjust(alone, 2), undefined)
  assert.deepEqual([holding.funding, holding.margin, alone.has(user)], [-5, 502, [0, 502]])
})

test('PERP-FUNDING-005: a higher leverage is refused while funding is due that the free balance does not cover, and pays it otherwise', () => {
  const raised = (balance: number): readonly unknown[] => {
    const alone = new Alone()
    const holding = alone.opens(user, 10, 100, 500)
    holding.setting.leverage = 2
    alone.pays(user, balance - 1)
    funds(alone)
    return [setsLeverage(alone, 4), holding.funding, holding.margin, alone.has(user)]
  }
  assert.deepEqual(raised(4), ['MARGIN_INSUFFICIENT', 0, 500, [4, 500]])
  assert.deepEqual(raised(5), [undefined, -5, 250, [250, 250]])
})

test('PERP-LEVERAGE-001: the margin that one position frees pays for another one, and both have their initial margin', () => {
  // One of them has paid with its margin.
  for (const [longs, shorts] of [
    [100, 1000],
    [1000, 100],
  ] as const) {
    const alone = new Alone()
    const long = alone.opens(user, 10, 100, longs, { side: LONG, isCross: true })
    const short = alone.opens(user, -10, 100, shorts, { side: SHORT, isCross: true })
    assert.deepEqual(alone.has(user), [2, 1100])
    assert.equal(setsLeverage(alone, 2), undefined)
    assert.deepEqual([long.margin, short.margin, alone.has(user)], [500, 500, [102, 1000]])
  }
})
