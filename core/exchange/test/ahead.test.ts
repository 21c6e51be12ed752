import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCommand } from '../../protocol/codec/command.ts'
import { lengthOf, Records } from '../../protocol/codec/records.ts'
import type { Command } from '../../protocol/command/index.ts'
import { Exchange } from '../exchange.ts'
import { start, terms } from './world.ts'

const users = 2 ** 17 + 100
const traders = 300

test('SPOT-GROW-002: reading ahead the memory of the next commands changes nothing, whichever users and orders they name', () => {
  const commands = new Records()
  let seq = 0
  const add = (command: object): unknown => encodeCommand(command as Command, { seq: ++seq, at: start, keyId: 1 }, commands)
  add({ type: 'asset.list', symbol: 'USDT', scale: 6 })
  add({ type: 'asset.list', symbol: 'BTC', scale: 8 })
  add({ type: 'market.list', symbol: 'BTCUSDT', base: 2, quote: 1, tick: '1', lot: '0.001', terms })
  for (let user = 1; user <= users; user++) add({ type: 'user.open', requestId: '', class: 'retail', referrer: 0 })
  for (let user = 1; user <= traders; user++) {
    for (const asset of [1, 2]) add({ type: 'funds.faucet', user, clientId: '', asset, amount: 1e11 })
  }
  for (let n = 0; n < 6000; n++) {
    const user = n % 97 === 0 ? users + n : 1 + ((n * 7) % traders)
    const price = 1000 + ((n * 13) % 40)
    const shape = { orderType: 'limit', timeInForce: n % 9 === 0 ? 'IOC' : 'GTC', price, lots: 100, isPostOnly: false }
    add({
      type: 'spot.place',
      user,
      clientId: `o${n}`,
      market: 1 + (n % 50 === 0 ? 1 : 0),
      side: n % 2 ? 'buy' : 'sell',
      ...shape,
      selfTrade: 'none',
    })
    // The cancels name resting orders, closed orders, unknown orders, and orders of the same batch.
    const m = n - ((n * 31) % 60)
    const owner = 1 + ((m * 7) % traders)
    const named = n % 3 === 0 ? { order: n % 5 === 0 ? 2 ** 40 + n : seq - 40, orderClientId: '' } : { order: 0, orderClientId: `o${m}` }
    add({ type: 'spot.cancel', user: owner, clientId: n % 4 === 0 ? '' : `c${n}`, market: 1, ...named })
  }
  const [together, apart] = [Exchange.create(), Exchange.create()]
  const [ofAll, ofEach] = [new Records(), new Records()]
  together.executeAll(commands.data, 0, commands.length, ofAll)
  for (let at = 0; at < commands.length; at += lengthOf(commands.data[at]!)) apart.execute(commands.data, at, ofEach)
  assert.ok(together.orderCount > 100)
  assert.deepEqual(Buffer.from(ofAll.bytes()), Buffer.from(ofEach.bytes()))
  assert.equal(together.hash(), apart.hash())
})
