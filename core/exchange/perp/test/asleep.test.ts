/** How many orders of a user may sleep in all Futures markets together. */
import { test } from 'node:test'
import { givenPerp, marketTerms, perpTerms } from './world.ts'

const eleven = Array.from({ length: 11 }, (_, n) => 3 + n)
const last = 13
const rises = { trigger: { kind: 'stop', price: 105, direction: 'rises-to' } }

test('PERP-STOP-006: a user has at most 200 sleeping orders in all Futures markets, and not one more in another market', () => {
  const world = givenPerp({ alice: '50000', bob: '1000' })
  for (const market of eleven.slice(1)) {
    const listed = { type: 'perp.list', symbol: `BTCUSDTPERP${market}`, base: 2, quote: 1, tick: '1', lot: '0.001' }
    world.do({ ...listed, terms: marketTerms, perp: perpTerms }).isAccepted()
  }
  world.index(100)
  const sleeps = (name: string, market: number) => world.buy(name, 110, 100, { ...rises, market })
  // Nine markets have their 20, the tenth has 19 and the last one 1: 200.
  for (const market of eleven.slice(0, 10)) for (let n = 0; n < (market === 12 ? 19 : 20); n++) sleeps('alice', market).isAccepted()
  const { order } = sleeps('alice', last).isAccepted()
  for (const market of [12, last]) sleeps('alice', market).isRefused('TOO_MANY_OPEN_ORDERS')
  world.buy('alice', 95, 100, { market: last }).isAccepted()
  sleeps('bob', last).isAccepted()
  world.isReplayable()
  world.do({ type: 'perp.cancel', user: world.id('alice'), clientId: '', market: last, order, orderClientId: '' }).isAccepted()
  sleeps('alice', 12).isAccepted()
  sleeps('alice', last).isRefused('TOO_MANY_OPEN_ORDERS')
  world.isReplayable()
})
