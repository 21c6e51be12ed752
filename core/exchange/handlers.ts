import type { Command } from '../protocol/command/index.ts'
import { commandCodes } from '../protocol/codec/layout.ts'
import { cancelAlgo } from './algo/cancel.ts'
import { placeAlgo } from './algo/place.ts'
import { creditDeposit, finalDeposit, orphanDeposit, repayDebt } from './chain/deposits.ts'
import { setWithdrawTerms } from './chain/terms.ts'
import { cancelWithdrawal, decideWithdrawal, finishWithdrawal, requestWithdrawal } from './chain/withdrawals.ts'
import { acceptQuote } from './convert/accept.ts'
import { hedgeInventory } from './convert/hedge.ts'
import { quoteConversion } from './convert/quote.ts'
import { setConvertTerms } from './convert/terms.ts'
import { joinFirm } from './firm/join.ts'
import { moveInFirm } from './firm/move.ts'
import { setFirmTerms } from './firm/terms.ts'
import { faucet } from './funds/faucet.ts'
import { postFunds } from './funds/post.ts'
import { fundSystem } from './funds/system.ts'
import { transfer } from './joint/transfer.ts'
import { borrowAsset } from './margin/handlers/borrow.ts'
import { repayAsset } from './margin/handlers/repay.ts'
import { supplyAsset } from './margin/handlers/supply.ts'
import { setMarginTerms } from './margin/handlers/terms.ts'
import { cancelWithdraw, withdrawAsset } from './margin/handlers/withdraw.ts'
import { setMode } from './state/mode.ts'
import { operateExchange } from './joint/operate.ts'
import { restUser } from './joint/rest.ts'
import { tickClock } from './joint/clock-tick.ts'
import { tickIndex } from './joint/index-tick.ts'
import { listAsset } from './market/list-asset.ts'
import { listMarket } from './market/list.ts'
import { setFees } from './market/set-fees.ts'
import { setMarket } from './joint/set-market.ts'
import { admitOption } from './option/admit.ts'
import { openOption } from './option/open.ts'
import { operateOption } from './option/operate.ts'
import { setOptionLimits } from './option/set-limits.ts'
import { setOptionTerms } from './option/set-terms.ts'
import { adjustMargin } from './perp/handlers/adjust-margin.ts'
import { amendPerp } from './perp/handlers/amend.ts'
import { setCountdown } from './perp/handlers/countdown.ts'
import { cancelPerp } from './perp/handlers/cancel.ts'
import { listPerp, setPerp } from './perp/handlers/list.ts'
import { placePerp } from './perp/handlers/place.ts'
import { reversePerp } from './perp/handlers/reverse.ts'
import { setHedgeMode, setLeverage, setMarginMode } from './perp/handlers/settings.ts'
import { cancelPresale } from './presale/end.ts'
import { setPresale } from './presale/set.ts'
import { subscribePresale } from './presale/subscribe.ts'
import { amendOrder } from './spot/amend.ts'
import { cancelAll } from './spot/cancel-all.ts'
import { cancelOrder } from './spot/cancel.ts'
import { placeList } from './spot/place-list.ts'
import { placeOco } from './spot/place-oco.ts'
import { placeOrder } from './spot/place.ts'
import { severReferral } from './referral/sever.ts'
import { setReferralTerms } from './referral/terms.ts'
import type { Handler } from './state/handler.ts'
import { certifyUser } from './joint/certify.ts'
import { houseUser } from './joint/house.ts'
import { locateUser } from './user/locate.ts'
import { openUser } from './user/open.ts'
import { operateRegion } from './user/operate-region.ts'
import { setUser } from './user/set.ts'
import { staffUser } from './user/staff.ts'

/** One line per command. A new command does not compile until it has a handler here. */
const handlers: { readonly [T in Command['type']]: Handler } = {
  'user.open': openUser,
  'user.set': setUser,
  'user.certify': certifyUser,
  'user.house': houseUser,
  'mode.set': setMode,
  'user.rest': restUser,
  'user.staff': staffUser,
  'user.locate': locateUser,
  'exchange.operate': operateExchange,
  'region.operate': operateRegion,
  'asset.list': listAsset,
  'market.list': listMarket,
  'market.set': setMarket,
  'fees.set': setFees,
  'index.tick': tickIndex,
  'clock.tick': tickClock,
  'funds.faucet': faucet,
  'funds.transfer': transfer,
  'funds.system': fundSystem,
  'funds.post': postFunds,
  'chain.credit': creditDeposit,
  'chain.final': finalDeposit,
  'chain.orphan': orphanDeposit,
  'chain.repay': repayDebt,
  'withdraw.setTerms': setWithdrawTerms,
  'withdraw.request': requestWithdrawal,
  'withdraw.cancel': cancelWithdrawal,
  'withdraw.decide': decideWithdrawal,
  'withdraw.finish': finishWithdrawal,
  'convert.setTerms': setConvertTerms,
  'convert.quote': quoteConversion,
  'convert.accept': acceptQuote,
  'convert.hedge': hedgeInventory,
  'referral.setTerms': setReferralTerms,
  'referral.sever': severReferral,
  'firm.join': joinFirm,
  'firm.move': moveInFirm,
  'firm.setTerms': setFirmTerms,
  'algo.place': placeAlgo,
  'algo.cancel': cancelAlgo,
  'presale.set': setPresale,
  'presale.cancel': cancelPresale,
  'presale.subscribe': subscribePresale,
  'spot.place': placeOrder,
  'spot.placeOco': placeOco,
  'spot.placeList': placeList,
  'spot.amend': amendOrder,
  'spot.cancel': cancelOrder,
  'spot.cancelAll': cancelAll,
  'perp.list': listPerp,
  'perp.set': setPerp,
  'perp.place': placePerp,
  'perp.amend': amendPerp,
  'perp.cancel': cancelPerp,
  'perp.reverse': reversePerp,
  'perp.setLeverage': setLeverage,
  'perp.setMarginMode': setMarginMode,
  'perp.setHedgeMode': setHedgeMode,
  'perp.adjustMargin': adjustMargin,
  'perp.countdown': setCountdown,
  'margin.setTerms': setMarginTerms,
  'margin.borrow': borrowAsset,
  'margin.repay': repayAsset,
  'lend.supply': supplyAsset,
  'lend.withdraw': withdrawAsset,
  'lend.cancelWithdraw': cancelWithdraw,
  'option.setTerms': setOptionTerms,
  'option.open': openOption,
  'option.admit': admitOption,
  'option.setLimits': setOptionLimits,
  'option.operate': operateOption,
}

/** Handlers by command number. */
export const handlerOfCode: readonly (Handler | undefined)[] = (() => {
  const list: Handler[] = []
  for (const type of Object.keys(handlers) as Command['type'][]) list[commandCodes[type]] = handlers[type]
  return list
})()

/** Commands that belong to a product but are never sent by a user. */
const fromExchange: ReadonlySet<string> = new Set([
  'funds.system',
  'funds.post',
  'perp.list',
  'perp.set',
  'margin.setTerms',
  'option.setTerms',
  'convert.setTerms',
  'presale.set',
  'presale.cancel',
  'firm.setTerms',
])

/** By command number: 1 when the command names a user, who must exist. */
export const isFromUser: Uint8Array = (() => {
  const list = new Uint8Array(Math.max(...Object.values(commandCodes)) + 1)
  for (const type of Object.keys(commandCodes) as Command['type'][]) {
    const isOfUser =
      (/^(spot|funds|perp|margin|lend|option|convert|presale|firm|algo)\./.test(type) && !fromExchange.has(type)) ||
      /^user\.(set|certify|house|locate|rest|staff)$/.test(type) ||
      /^(chain\.(credit|repay)|withdraw\.(request|cancel)|referral\.sever)$/.test(type)
    list[commandCodes[type]] = isOfUser ? 1 : 0
  }
  return list
})()
