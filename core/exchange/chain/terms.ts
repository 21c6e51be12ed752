import { supplyMax } from '../../ledger/ledger.ts'
import { readNetwork, readWithdrawTerms } from '../../protocol/codec/chain/slots.ts'
import { writeWithdrawTermsChanged } from '../../protocol/codec/chain/write.ts'
import { WITHDRAW_ASSET, WITHDRAW_NETWORK, WITHDRAW_TERMS } from '../../protocol/codec/layout.ts'
import { readAssetId } from '../../protocol/codec/slots.ts'
import type { WithdrawTerms } from '../../protocol/command/chain.ts'
import type { Handler } from '../state/handler.ts'
import { isNetwork } from './deposits.ts'
import { termsKey } from './records/state.ts'

/** `withdraw.setTerms`: terms of withdrawals that are requested from now on. */
export const setWithdrawTerms: Handler = (x, data, start) => {
  const asset = readAssetId(data, start + WITHDRAW_ASSET)
  const network = readNetwork(data, start + WITHDRAW_NETWORK)
  const terms = readWithdrawTerms(data, start + WITHDRAW_TERMS)
  if (!isNetwork(network) || !areWithdrawTermsValid(terms)) return 'FIELD_INVALID'
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'

  x.chain.terms.set(termsKey(asset, network), terms)
  writeWithdrawTermsChanged(x.events, { asset, network, terms })
  return undefined
}

/** A fee below the smallest amount leaves something to pay out. */
export function areWithdrawTermsValid({ min, fee, autoMax, singleMax }: WithdrawTerms): boolean {
  return fee >= 0 && fee < min && min <= supplyMax && autoMax >= 0 && autoMax <= singleMax && singleMax <= supplyMax
}
