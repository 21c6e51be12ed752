import { type Translate, useTranslation } from '../../app/translate.ts'
import { useActionWords } from '../../parts/lists/action-words.ts'

/** The commands of customers, as sentences. */
function commandsOf(t: Translate): Readonly<Record<string, string>> {
  return {
    'spot.place': t('activity.did.spotPlace'),
    'spot.placeOco': t('activity.did.spotPlaceOco'),
    'spot.amend': t('activity.did.spotAmend'),
    'spot.cancel': t('activity.did.spotCancel'),
    'spot.cancelAll': t('activity.did.spotCancelAll'),
    'perp.place': t('activity.did.perpPlace'),
    'perp.amend': t('activity.did.perpAmend'),
    'perp.cancel': t('activity.did.perpCancel'),
    'perp.reverse': t('activity.did.perpReverse'),
    'option.open': t('activity.did.optionOpen'),
    'perp.setLeverage': t('activity.did.perpSetLeverage'),
    'perp.setMarginMode': t('activity.did.perpSetMarginMode'),
    'perp.setHedgeMode': t('activity.did.perpSetHedgeMode'),
    'option.admit': t('activity.did.optionAdmit'),
    'option.setLimits': t('activity.did.optionSetLimits'),
    'funds.faucet': t('activity.did.fundsFaucet'),
    'funds.transfer': t('activity.did.fundsTransfer'),
    'perp.adjustMargin': t('activity.did.perpAdjustMargin'),
    'margin.borrow': t('activity.did.marginBorrow'),
    'margin.repay': t('activity.did.marginRepay'),
    'withdraw.request': t('activity.did.withdrawRequest'),
    'withdraw.cancel': t('activity.did.withdrawCancel'),
    'chain.repay': t('activity.did.chainRepay'),
    'lend.supply': t('activity.did.lendSupply'),
    'lend.withdraw': t('activity.did.lendWithdraw'),
    'lend.cancelWithdraw': t('activity.did.lendCancelWithdraw'),
  }
}

/** An entry of the activity as a sentence: a command, or an entry of the account's log. */
export function useDeedWords(): (action: string) => string {
  const { t } = useTranslation()
  const ofLog = useActionWords()
  const commands = commandsOf(t)
  return (action) => (Object.hasOwn(commands, action) ? (commands[action] ?? '') : ofLog(action))
}
