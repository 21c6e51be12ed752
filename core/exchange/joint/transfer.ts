import type { Units } from '../../money/brand.ts'
import type { AssetId, KindNumber, MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import { TRANSFER } from '../../ledger/reasons.ts'
import { accountKinds } from '../../protocol/account.ts'
import type { AccountKind } from '../../protocol/account.ts'
import { TRANSFER_AMOUNT, TRANSFER_ASSET, TRANSFER_FROM, TRANSFER_MARKET, TRANSFER_TO, USER } from '../../protocol/codec/layout.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { movementsFrom } from '../../protocol/ids.ts'
import { usdtAccounts } from '../../risk/account.ts'
import { isSpotMarket } from '../margin/handlers/borrow.ts'
import { afterTransfer, checkEnter, checkLeave } from '../margin/handlers/transfer.ts'
import { afterPerpTransfer } from '../perp/handlers/transfer.ts'
import { transferableOf } from '../perp/rules/money.ts'
import type { State } from '../state/state.ts'

/** Accounts between which customers may transfer. Supply to a lending pool and withdrawal from it have commands of their own. */
const open: readonly AccountKind[] = ['spot', 'perp', 'margin-cross', 'margin-isolated', 'option']
const SPOT = accountKinds.indexOf('spot')
const ISOLATED = accountKinds.indexOf('margin-isolated')
const PERP = accountKinds.indexOf('perp')
const CROSS = accountKinds.indexOf('margin-cross')

/**
 * `funds.transfer`: moves money between a user's own accounts, at once and without a fee. Held amounts can't be moved. Only the
 * receiving account limits the assets that it accepts; every asset in an account can leave it. During the user's own pause money
 * only moves back to spot.
 */
export function transfer(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { ledger } = x
  const user = data[start + USER] as UserId
  const asset = data[start + TRANSFER_ASSET] as AssetId
  const amount = data[start + TRANSFER_AMOUNT] as Units
  const from = data[start + TRANSFER_FROM] as KindNumber
  const to = data[start + TRANSFER_TO] as KindNumber
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (to !== SPOT && x.isResting(user)) return 'RESTING'
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  if (from === to) return 'ACCOUNT_SAME'
  const market = (from === ISOLATED || to === ISOLATED ? data[start + TRANSFER_MARKET]! : 0) as MarketId
  if (!open.includes(accountKinds[from]!) || !open.includes(accountKinds[to]!)) return 'ACCOUNT_CLOSED'
  if (from === ISOLATED || to === ISOLATED) {
    if (market === 0) return 'ACCOUNT_CLOSED'
    if (!isSpotMarket(x, market)) return 'MARKET_UNKNOWN'
  }
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  const source = ledger.find(user, kindNumber(from, market), asset)
  if (ledger.available(source) < amount) return 'INSUFFICIENT_BALANCE'
  if (from === PERP && asset === x.usdt && amount > transferableOf(x, user)) return 'AMOUNT_BOUND'
  const refusal =
    (isMargin(from) ? checkLeave(x, user, from === CROSS ? (0 as MarketId) : market, asset, amount) : undefined) ??
    (isMargin(to) ? checkEnter(x, user, to === CROSS ? (0 as MarketId) : market, asset, amount) : undefined) ??
    (usdtAccounts.includes(accountKinds[to]!) && asset !== x.usdt ? 'ASSET_NOT_IN_ACCOUNT' : undefined)
  if (refusal !== undefined) return refusal

  x.order = (movementsFrom + x.seq) as OrderId
  ledger.debit(source, amount, TRANSFER)
  ledger.credit(ledger.row(user, kindNumber(to, market), asset), amount, TRANSFER)
  if (from === PERP) afterPerpTransfer(x, user)
  if (isMargin(from)) afterTransfer(x, user, from === CROSS ? (0 as MarketId) : market, asset)
  if (isMargin(to)) afterTransfer(x, user, to === CROSS ? (0 as MarketId) : market, asset)
  return undefined
}

function isMargin(kind: number): boolean {
  return kind === CROSS || kind === ISOLATED
}

/** Number of the account's kind in the ledger: isolated accounts exist per market. */
function kindNumber(kind: KindNumber, market: MarketId): KindNumber {
  return kind === ISOLATED ? ((kind + 16 * market) as KindNumber) : kind
}
