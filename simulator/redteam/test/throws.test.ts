import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { BTC, coins, USDT } from '../coins.ts'
import { Stage } from '../stage.ts'

function staged(): Stage {
  const stage = new Stage(1)
  for (const market of [BTC.spot, BTC.perp]) stage.bots.set(market, 'deep')
  stage.pass(2000)
  return stage
}

/** Sends an index tick without clock ticks after it, so that due work waits. */
function tick(stage: Stage, price = stage.price(BTC)): void {
  const prices = coins.map((coin) => {
    const whole = coin === BTC ? price : stage.price(coin)
    return { market: coin.spot, price: Math.round((whole * 1e8) / coin.indexPerTick) * coin.indexPerTick, sources: 4, isGood: true }
  })
  stage.must({ type: 'index.tick', prices })
}

function isSound({ desk: { exchange } }: Stage): void {
  const { sums, violations } = exchange.trialBalance()
  assert.deepEqual([sums.every((sum) => sum === 0), violations], [true, []])
  assert.equal(Exchange.restore(exchange.dump()).hash(), exchange.hash())
}

test('REDTEAM-THROW-001: leverage is set while funding is due and no money is available', () => {
  const stage = staged()
  const [long, short] = [stage.customer(1000), stage.customer(1000)]
  stage.futures(long, BTC, 300, 10, 'cross')
  stage.futures(short, BTC, 300, 2, 'cross')
  const period = 8 * 3_600_000
  stage.desk.atMs = Math.ceil(stage.desk.atMs / period) * period - 1000
  stage.pass(250)
  stage.cross(long, short, BTC, 500)
  for (let part = stage.available(long, USDT, 'perp'); part >= 1; part = Math.floor(part / 2)) {
    stage.move(long, USDT, Math.min(part, stage.available(long, USDT, 'perp')), 'perp', 'spot')
  }
  assert.equal(stage.available(long, USDT, 'perp'), 0)
  stage.desk.atMs = Math.ceil(stage.desk.atMs / period) * period + 1
  tick(stage)
  const { refusal } = stage.run({ type: 'perp.setLeverage', user: long, market: BTC.perp, leverage: 10 })
  assert.equal(refusal, 'MARGIN_INSUFFICIENT')
  stage.desk.catchUp()
  isSound(stage)
})

test('REDTEAM-THROW-001: liquidating many accounts with long lists of orders never leaves one leg of an OCO', () => {
  const stage = staged()
  const margin = { margin: { account: 'margin-isolated', borrow: 'none' } }
  const users = Array.from({ length: 20 }, () => {
    const user = stage.customer(2000)
    stage.move(user, USDT, 1000e6, 'spot', 'margin-isolated', BTC.spot)
    stage.must({ type: 'margin.borrow', user, clientId: '', market: BTC.spot, asset: USDT, amount: 2000e6 })
    stage.spot(user, BTC, 'buy', 4700, undefined, margin)
    const ticks = Math.round(stage.price(BTC) * 10)
    stage.spot(user, BTC, 'sell', 10, (ticks / 10) * 1.05, margin)
    const list = { limitPrice: Math.round(ticks * 1.06), stopPrice: Math.round(ticks * 0.6), selfTrade: 'expire-taker', ...margin }
    for (let n = 0; n < 25; n++)
      stage.must({ type: 'spot.placeOco', user, clientId: '', market: BTC.spot, side: 'sell', lots: 15, ...list })
    stage.pass(250)
    return user
  })
  for (const market of [BTC.spot, BTC.perp]) stage.bots.set(market, 'none')
  stage.pass(500)
  stage.desk.atMs += 250
  tick(stage, stage.price(BTC) * 0.66)
  isSound(stage)
  for (const user of users) assert.notEqual(stage.desk.exchange.openOrders(user as UserId).length, 1)
  for (const user of users) stage.cancelAll(user)
  stage.desk.catchUp()
  isSound(stage)
})
