import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireShelf } from '@candor/core/protocol/wire/convert.ts'
import { Refused } from '../../refused.ts'
import type { Context } from '../context.ts'
import { amountText } from '../listing.ts'

/**
 * The inventory of conversions by asset.
 *
 * throws  Refused FORBIDDEN to everybody but the hedger
 */
export async function shelvesOf({ ask, listing }: Context, user: UserId): Promise<{ readonly shelves: readonly WireShelf[] }> {
  const [terms, inventory] = await Promise.all([ask.convertTerms(), ask.convertInventory()])
  if (terms?.hedger !== user) throw new Refused('FORBIDDEN')
  return {
    shelves: inventory.map(({ asset: id, target, available, expected }) => {
      const asset = listing.asset(id)
      const [has, wanted, will] = [available, target, expected].map((units) => amountText(asset, units))
      return { asset: asset.symbol, target: wanted!, available: has!, expected: will! }
    }),
  }
}
