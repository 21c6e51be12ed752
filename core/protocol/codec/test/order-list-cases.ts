import fc from 'fast-check'
import { selfTradeModes, timesInForce } from '../../command/spot.ts'

const safe = fc.maxSafeInteger().map((n) => n + 0)
const count = fc.maxSafeNat()
const clientId = fc.stringMatching(/^[A-Za-z0-9.:/_-]{0,36}$/)
const direction = fc.constantFrom('rises-to', 'falls-to')
const trigger = fc.oneof(
  fc.record({ kind: fc.constant('stop'), price: safe, direction }),
  fc.record({ kind: fc.constant('trailing'), trailPpm: safe, direction }),
  fc.record({ kind: fc.constant('trailing'), trailPpm: safe, activation: safe, direction }),
)
const order = fc.record(
  {
    clientId,
    side: fc.constantFrom('buy', 'sell'),
    orderType: fc.constantFrom('limit', 'market'),
    timeInForce: fc.constantFrom(...timesInForce),
    price: safe,
    lots: safe,
    isPostOnly: fc.boolean(),
    display: safe,
    trigger,
  },
  { requiredKeys: ['clientId', 'side', 'orderType', 'timeInForce', 'lots', 'isPostOnly'] },
)

/** Lists of orders with any values. */
export const orderListCommands: Record<'spot.placeList', fc.Arbitrary<object>> = {
  'spot.placeList': fc.record(
    {
      ...{ user: count, clientId, market: count },
      working: order,
      legs: fc.array(order, { minLength: 1, maxLength: 2 }),
      selfTrade: fc.constantFrom(...selfTradeModes),
    },
    { requiredKeys: ['user', 'clientId', 'market', 'legs', 'selfTrade'] },
  ),
}
