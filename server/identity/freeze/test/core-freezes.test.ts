/** Attacks on the moment at which the core learns of a freeze: what is cancelled, what a crash leaves, and who is told last. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Side } from '@candor/core/protocol/command/order.ts'
import type { PositionSide } from '@candor/core/protocol/command/perp.ts'
import type { OpenOrder } from '@candor/core/protocol/port.ts'
import type { Session } from '../../../ports.ts'
import { factorWorld } from '../../factors/test/factor-world.ts'
import { stranger } from '../../test/people.ts'
import { identityDb } from '../../tables.ts'
import { CoreFreezes } from '../core-freezes.ts'

const { world, rows, customer, made } = factorWorld()
afterEach(async () => {
  Object.assign(world().core, { orders: [], failures: [] })
  world().core.told.length = 0
  for (const table of ['core_users', 'orders']) await rows(`delete from ${table}`)
})

const types = () => world().core.told.map(({ type }) => type)
const asFrozen = ({ user }: Session, isFrozen: boolean) =>
  rows("insert into core_users (user_id, class, referrer, is_frozen, tier) values ($1, 'retail', 0, $2, 0)", user, isFrozen)

type Kind = { readonly position?: PositionSide; readonly side?: Side; readonly is?: 'isReduceOnly' | 'isClosing' | 'isLiquidation' }
function futures(order: number, { position = 'both', side = 'buy', is }: Kind): OpenOrder {
  const none = { isReduceOnly: false, isClosing: false, isLiquidation: false }
  const perp = { position, triggerBy: 'last', ...none, ...(is === undefined ? {} : { [is]: true }) }
  return { order, market: 3, side, perp } as unknown as OpenOrder
}

test('USER-FREEZE-008: a freeze cancels the orders that could open a position, and leaves those that reduce or close one', async () => {
  const { person } = await customer()
  const { core, identity } = world()
  core.orders = [
    futures(1, {}),
    futures(2, { is: 'isReduceOnly' }),
    futures(3, { is: 'isClosing' }),
    futures(4, { is: 'isLiquidation' }),
    futures(5, { position: 'long', side: 'sell' }),
    futures(6, { position: 'short', side: 'buy' }),
    futures(7, { position: 'short', side: 'sell' }),
    { order: 8, market: 1, side: 'buy' } as unknown as OpenOrder,
  ]
  await identity.freezes.byOwner(person.session, stranger())
  const { user } = person.session
  assert.deepEqual(core.told.slice(1), [
    { type: 'spot.cancelAll', user, clientId: '', market: 0, only: 'spot' },
    { type: 'spot.cancelAll', user, clientId: '', market: 0, only: 'margin' },
    { type: 'perp.cancel', user, clientId: '', market: 3, order: 1, orderClientId: '' },
    { type: 'perp.cancel', user, clientId: '', market: 3, order: 7, orderClientId: '' },
  ])
})

test('USER-FREEZE-006: a process that ended between the freeze and the cancel leaves no order in the book', async () => {
  const { person } = await customer()
  await using identity = made({ onFault: () => undefined })
  const { core } = world()
  await identity.freezes.byOwner(person.session, stranger())
  await asFrozen(person.session, true)
  const order = (perp: object | null, side = 'buy', id = 900) =>
    rows(
      `insert into orders (id, user_id, client_id, market, side, type, time_in_force, status, executed, executed_quote, post_only, placed_at_ms,
        updated_at_ms, perp) values ($1, $2, '', 'X', $3, 'limit', 'GTC', 'open', 0, 0, false, 0, 0, $4)`,
      ...[id, person.session.user, side, perp],
    )
  const kept = { position: 'both', reduceOnly: false, closing: false, liquidation: false }
  await order({ ...kept, reduceOnly: true })
  await order({ ...kept, position: 'short' }, 'buy', 901)
  core.told.length = 0
  await identity.coreFreezes.finish()
  assert.deepEqual(types(), [], 'these only reduce')
  for (const perp of [null, kept]) {
    await order(perp, 'buy', 902)
    await identity.coreFreezes.finish()
    assert.deepEqual(types(), ['user.set', 'spot.cancelAll', 'spot.cancelAll'])
    await rows('delete from orders where id = 902')
    core.told.length = 0
  }
})

test('USER-FREEZE-006: a lift that is told after a later freeze does not open the user in the core', async () => {
  const { account, person } = await customer()
  const { core, store, clock } = world()
  const freezes = new CoreFreezes({
    ...{ db: identityDb(store), openOrders: core.openOrders, onFault: () => undefined },
    submit: async (command) => {
      // The core learns of the new freeze first.
      if (command.type === 'user.set' && !command.isFrozen) {
        await rows('update accounts set frozen_at = $2 where id = $1', account, clock())
        await core.submit({ ...command, isFrozen: true })
      }
      return core.submit(command)
    },
  })
  await freezes.tell(account)
  const told = core.told.flatMap((command) => (command.type === 'user.set' ? [command.isFrozen] : []))
  assert.deepEqual(told, [true, false, true])
  assert.equal(person.session.user, (core.told.at(-1) as { user?: number }).user)
})

test('USER-FREEZE-006: an order that was filled before its cancel does not stop the others', async () => {
  const { person } = await customer()
  const { core, store } = world()
  core.orders = [futures(1, {}), futures(2, {})]
  const asked: number[] = []
  const faults: unknown[] = []
  await using identity = made({
    store,
    onFault: (cause) => void faults.push(cause),
    submit: async (command) => {
      const outcome = await core.submit(command)
      if (command.type !== 'perp.cancel') return outcome
      asked.push(command.order)
      return { ...outcome, refusal: 'ORDER_UNKNOWN' }
    },
  })
  await identity.freezes.byOwner(person.session, stranger())
  assert.deepEqual([asked, faults], [[1, 2], []])
})
