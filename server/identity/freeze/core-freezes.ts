import { cancelScopes } from '@candor/core/protocol/command/spot.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask, OpenOrder, Submit } from '@candor/core/protocol/port.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { sql } from 'kysely'
import { Refused } from '../../refused.ts'
import type { IdentityDb } from '../tables.ts'

export type CoreFreezeParts = {
  readonly db: IdentityDb
  readonly submit: Submit
  readonly openOrders: Ask['openOrders']
  readonly onFault: (cause: unknown) => void
}

/** The core's side of freezes: its users are frozen as their accounts are, and no order of a frozen user can open anything. */
export class CoreFreezes {
  readonly #parts: CoreFreezeParts

  constructor(parts: CoreFreezeParts) {
    this.#parts = parts
  }

  /**
   * Tells the core what the account says, until both agree: of a lift and a new freeze at the same moment, either may be told last.
   *
   * throws  Refused; what `Submit` and `Ask` throw
   */
  async tell(account: string): Promise<void> {
    let told: number | null | undefined
    for (;;) {
      const read = this.#parts.db.selectFrom('accounts').select(['core_user', 'frozen_at']).where('id', '=', account)
      const { core_user: user, frozen_at: frozenAt } = await read.executeTakeFirstOrThrow()
      if (user === null || frozenAt === told) return
      await this.#accepted({ type: 'user.set', user: user as UserId, isFrozen: frozenAt !== null })
      if (frozenAt !== null) await this.#cancel(user as UserId)
      told = frozenAt
    }
  }

  /**
   * Brings the core to what the accounts say, where it or a process was away before it knew all. The tables of the core's users and
   * orders may be behind the core, so this may say again what the core knows.
   */
  async finish(): Promise<void> {
    const { db, onFault } = this.#parts
    const { rows } = await sql<{ account: string }>`
      select a.id as account from accounts a join core_users u on u.user_id = a.core_user
      where u.is_frozen <> (a.frozen_at is not null)
        or (a.frozen_at is not null and exists (
          select from orders o where o.user_id = u.user_id and o.status in ('open', 'pending', 'partially-filled') and ${mayOpenAsRow}))`.execute(
      db,
    )
    for (const { account } of rows) await this.tell(account).catch(onFault)
  }

  /** Orders that only reduce a position stay: nobody can log in to place them again. */
  async #cancel(user: UserId): Promise<void> {
    const { submit, openOrders } = this.#parts
    for (const only of cancelScopes) await this.#accepted({ type: 'spot.cancelAll', user, clientId: '', market: 0 as MarketId, only })
    const opening = (await openOrders(user)).filter(mayOpen)
    // At once, so that they share batches: what is last must not be filled meanwhile.
    const cancels = opening.map(({ order, market }) =>
      submit({ type: 'perp.cancel', user, clientId: '', market, order, orderClientId: '' }),
    )
    for (const { refusal } of await Promise.all(cancels)) {
      // It was filled meanwhile.
      if (refusal !== undefined && refusal !== 'ORDER_UNKNOWN') throw new Refused(refusal)
    }
  }

  async #accepted(command: Command): Promise<void> {
    const { refusal }: { readonly refusal: Refusal | undefined } = await this.#parts.submit(command)
    if (refusal !== undefined) throw new Refused(refusal)
  }
}

/** Whether a Futures order could open or enlarge a position. In hedge mode, selling a long position and buying a short one reduce. */
function mayOpen({ perp, side }: OpenOrder): boolean {
  if (perp === undefined || perp.isReduceOnly || perp.isClosing || perp.isLiquidation) return false
  return perp.position === 'both' || (perp.position === 'long') === (side === 'buy')
}

/** The same of a row `o` of the orders. */
const mayOpenAsRow = sql`(o.perp is null or (
  not ((o.perp->>'reduceOnly')::boolean or (o.perp->>'closing')::boolean or (o.perp->>'liquidation')::boolean)
  and (o.perp->>'position' = 'both' or (o.perp->>'position' = 'long') = (o.side = 'buy'))))`
