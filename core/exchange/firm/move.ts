import { FIRM_MOVE } from '../../ledger/reasons.ts'
import type { MoveInFirm } from '../../protocol/command/firm.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { movementsFrom, type OrderId } from '../../protocol/ids.ts'
import { usesUnfinal } from '../chain/withdrawals.ts'
import type { Handler } from '../state/handler.ts'

/**
 * `firm.move`: moves coins between the spot accounts of two accounts of one firm. What a deposit may still take back stays, and so does
 * everything while a dropped deposit is owed: it could leave by another account.
 */
export const moveInFirm: Handler = (x, data, start) => {
  const { firm, ledger, chain } = x
  const { user, to, asset, amount } = decodeCommand(data, start).command as MoveInFirm
  const main = firm.mainOf(user)
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (chain.isInDebt(user)) return 'DEPOSIT_DEBT'
  if (main === 0 || firm.mainOf(to) !== main) return 'FIRM_OTHER'
  if (x.isFrozen(to)) return 'USER_FROZEN'
  if (to === user) return 'ACCOUNT_SAME'
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  const source = ledger.findSpot(user, asset)
  if (ledger.available(source) < amount) return 'INSUFFICIENT_BALANCE'
  if (usesUnfinal(x, user, asset, amount)) return 'DEPOSIT_NOT_FINAL'

  x.order = (movementsFrom + x.seq) as OrderId
  const target = ledger.spotRow(to, asset)
  ledger.debit(source, amount, FIRM_MOVE)
  ledger.credit(target, amount, FIRM_MOVE)
  return undefined
}
