import assert from 'node:assert/strict'
import { test } from 'node:test'
import { btcusdt, open, units } from './world.ts'
import { random } from './random.ts'

/**
 * Alice borrows as much as she can and tries to lose it to her friend at prices far from the index, with resting, taking, amended
 * and sleeping orders. While the index stands still, no account may come to owe more than it has, so the friend gains only
 * Alice's own money.
 */
for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`MARGIN-ORDER-005: while the index stands still, no loan can be traded away, seed ${seed}`, () => {
    const next = random(seed * 104_729)
    const desk = open().user('alice', { USDT: '50000' }).user('friend', { BTC: '1000', USDT: '100000000' })
    const { world } = desk
    let lost = 0
    for (let n = 0; n < 500; n++) {
      const market = [0, btcusdt][next(2)]!
      const margin = { margin: { account: market === 0 ? 'margin-cross' : 'margin-isolated', borrow: ['none', 'borrow', 'both'][next(3)] } }
      const price = 40_000 + next(20_001)
      const side = next(2) === 0 ? 'buy' : 'sell'
      const who = next(3) === 0 ? 'alice' : 'friend'
      if (n % 40 === 0) desk.enter('alice', 'USDT', '1000', market)
      switch (next(12)) {
        case 0: {
          const balance = desk.account('alice', market).balances[next(2)]!
          world.do({
            type: 'margin.borrow',
            user: world.user('alice'),
            clientId: '',
            market,
            asset: balance.asset,
            amount: balance.borrowable,
          })
          break
        }
        case 1:
          world.market('alice', side, { lots: 1 + next(400), ...margin })
          break
        case 2: {
          const [order] = world.open('alice')
          if (order !== undefined) world.amend('alice', order.order, { price, lots: 1 + next(400) })
          break
        }
        case 3:
          world.do({ type: 'spot.cancelAll', user: world.user(who), clientId: '', market: 0 })
          break
        case 4:
          world.place('alice', {
            side,
            price,
            lots: 1 + next(400),
            ...margin,
            trigger: { kind: 'stop', price: 40_000 + next(20_001), direction: 'rises-to' },
          })
          break
        case 5:
          world.place('friend', { side, price, lots: 1 + next(800), timeInForce: next(2) === 0 ? 'GTC' : 'IOC' })
          break
        case 6:
          world.atMs += next(200_000)
          desk.prices(50_000, 2_500)
          desk.waits(0)
          break
        default: {
          // Most of the balance, at the worst price that the market's band allows.
          const [usdt, coin] = desk.account('alice', market).balances
          const worst = side === 'buy' ? 50_500 + next(9_000) : 49_500 - next(9_000)
          const all = side === 'buy' ? usdt!.available / (worst * 1000) : coin!.available / 100_000
          const lots = Math.max(1, Math.floor((all * (20 + next(81))) / 100))
          world.place('alice', { side, price: worst, lots, ...margin })
          world.place('friend', { side: side === 'buy' ? 'sell' : 'buy', price: worst, lots, timeInForce: next(2) === 0 ? 'IOC' : 'GTC' })
        }
      }
      for (const { assets, debt } of world.exchange.marginAccounts(world.user('alice'))) {
        assert.ok(assets >= debt, `${assets} against ${debt} after ${n}`)
      }
      lost += world.exchange.trialBalance().violations.length
    }
    assert.equal(lost, 0)
    assert.ok(desk.system('insurance-margin', 'USDT') >= 0 && desk.claim('lender', 'USDT')!.claim >= units('USDT', '1000000'))
  })
}
