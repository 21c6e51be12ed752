import { HEDGE } from '../../ledger/reasons.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import type { HedgeInventory } from '../../protocol/command/convert.ts'
import type { OrderId } from '../../protocol/ids.ts'
import { movementsFrom } from '../../protocol/ids.ts'
import type { Handler } from '../state/handler.ts'
import { inventoryRow } from './shelves.ts'

/**
 * `convert.hedge`: the account that the terms name takes what the inventory has above its target into its spot account, or gives an
 * asset back. Nobody can take the inventory below its target.
 */
export const hedgeInventory: Handler = (x, data, start) => {
  const { ledger } = x
  const { user, asset, amount, isTaking } = decodeCommand(data, start).command as HedgeInventory
  if (x.convert.terms?.hedger !== user) return 'FORBIDDEN'
  if (x.isFrozen(user)) return 'USER_FROZEN'
  const shelf = x.isAsset(asset) ? x.convert.shelf(asset) : undefined
  if (shelf === undefined) return 'ASSET_UNKNOWN'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  const inventory = inventoryRow(x, asset)
  if (!isTaking && ledger.available(ledger.findSpot(user, asset)) < amount) return 'INSUFFICIENT_BALANCE'
  if (isTaking && ledger.available(inventory) - shelf.target < amount) return 'INVENTORY_LIMIT'

  x.order = (movementsFrom + x.seq) as OrderId
  const own = ledger.spotRow(user, asset)
  ledger.debit(isTaking ? inventory : own, amount, HEDGE)
  ledger.credit(isTaking ? own : inventory, amount, HEDGE)
  return undefined
}
