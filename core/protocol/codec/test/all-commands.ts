import fc from 'fast-check'
import { accountKinds } from '../../account.ts'
import { postingAccounts } from '../../command/funds.ts'
import type { Command } from '../../command/index.ts'
import { borrowModes } from '../../command/margin.ts'
import { modes } from '../../command/mode.ts'
import { changeTypes } from '../../command/operate.ts'
import { directions } from '../../command/option.ts'
import { marginModes, positionSides, triggerPrices } from '../../command/perp.ts'
import { cancelScopes, cancelStates, perpSelfTradeModes, selfTradeModes, timesInForce } from '../../command/spot.ts'
import { userClasses } from '../../command/user.ts'
import { deskCommands } from './desk-commands.ts'
import { perpEnds, priceMatch, productCommands } from './product-commands.ts'

const safe = fc.maxSafeInteger().map((n) => n + 0)
const count = fc.maxSafeNat()
const place = fc.oneof(fc.record({ user: count }), fc.record({ system: fc.constantFrom(...postingAccounts) }))
const id = fc.stringMatching(/^[A-Za-z0-9.:/_-]{0,36}$/)
const symbol = fc.stringMatching(/^[A-Z0-9]{2,10}$/)
const decimal = fc.stringMatching(/^[0-9]{1,6}\.[0-9]{1,8}$/)
const direction = fc.constantFrom('rises-to', 'falls-to')
const side = fc.constantFrom('buy', 'sell')
const selfTrade = fc.constantFrom(...selfTradeModes)
const count53 = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 1 })
const strategy = fc.oneof(fc.record({ id: count53, type: count53 }), fc.record({ id: count53 }), fc.record({ type: count53 }))
const perpSelfTrade = fc.constantFrom(...perpSelfTradeModes)
const marginOrder = fc.record(
  {
    account: fc.constantFrom('margin-cross', 'margin-isolated'),
    borrow: fc.constantFrom(...borrowModes),
    repaysAtEnd: fc.constant(true),
  },
  { requiredKeys: ['account', 'borrow'] },
)
const terms = fc.record({
  makerFeePpm: safe,
  takerFeePpm: safe,
  notionalMin: safe,
  lotsMin: safe,
  lotsMax: safe,
  bandPpm: safe,
  slippagePpm: safe,
  openOrdersMax: safe,
  isTrading: fc.boolean(),
})
const trigger = fc.oneof(
  fc.record({ kind: fc.constant('stop'), price: safe, direction }),
  fc.record(
    { kind: fc.constant('trailing'), trailPpm: safe, activation: safe, direction },
    { requiredKeys: ['kind', 'trailPpm', 'direction'] },
  ),
)
const marginTerms = fc.record({
  isOpen: fc.boolean(),
  tiers: fc.array(fc.record({ loanMax: safe, leverage: safe, liquidationPpm: safe }), { maxLength: 16 }),
  isolatedCallPpm: safe,
  crossLeverage: safe,
  crossTransferPpm: safe,
  crossBorrowPpm: safe,
  crossCallPpm: safe,
  crossLiquidationPpm: safe,
  rateZero: safe,
  rateKink: safe,
  rateFull: safe,
  kinkPpm: safe,
  borrowStopPpm: safe,
  reservePpm: safe,
  liquidationFeePpm: safe,
  cushionPpm: safe,
  weights: fc.array(fc.record({ asset: count, weightPpm: safe }), { maxLength: 64 }),
  weightPpm: safe,
  userSharePpm: safe,
  loanMin: safe,
  supplyMin: safe,
  fundAssetPpm: safe,
  fundAllPpm: safe,
  fundFastPpm: safe,
})
const optionTerms = fc.record({
  isOpen: fc.boolean(),
  rates: fc.array(fc.record({ seconds: safe, profitPpm: safe }), { maxLength: 20 }),
  stakeMin: safe,
  stakeMax: safe,
  openMax: safe,
  sideMax: safe,
  groupExposurePpm: safe,
  groupPpm: safe,
  guardVoidsFree: safe,
  guardVoidsPpm: safe,
  strikeDelayMs: safe,
  windowPpm: safe,
  windowMaxMs: safe,
  gapMaxMs: safe,
  marketExposurePpm: safe,
  totalExposurePpm: safe,
  houseFloor: safe,
  limitWaitMs: safe,
})
const requester = { user: count, clientId: id }
const reference = { ...requester, market: count, order: count, orderClientId: id }

/** Quotes that the codec can pack: the number of a venue, and a price within 2^31 units of the index. */
const quotes = (price: number) =>
  fc.array(fc.record({ venue: fc.nat(31), price: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((distance) => price + distance) }), {
    minLength: 1,
    maxLength: 8,
  })
const indexPrice = fc
  .nat(2 ** 31 - 1)
  .map((part) => part * 2 ** 20)
  .chain((price) =>
    fc.record(
      { market: count, price: fc.constant(price), sources: safe, isGood: fc.boolean(), quotes: quotes(price) },
      { requiredKeys: ['market', 'price', 'sources', 'isGood'] },
    ),
  )

const exit = fc.record({ price: safe, by: fc.constantFrom(...triggerPrices) })

const perp = fc.record({
  index: count,
  leverageMax: count,
  fundingHours: count,
  fundingInterest: safe,
  fundingStretch: safe,
  fundingCap: safe,
  impactValue: safe,
  markClampPpm: safe,
  basisWindowMs: safe,
  liquidationFeePpm: safe,
  liquidationStepPpm: safe,
  openInterestMax: safe,
  userInterestPpm: safe,
  carryPpm: safe,
  tiers: fc.array(fc.record({ valueMax: safe, initialPpm: safe, maintenancePpm: safe }), { maxLength: 8 }),
})

/** One line per command but the decision, which has one of the others in it. */
const alone: Record<Exclude<Command['type'], 'exchange.operate'>, fc.Arbitrary<object>> = {
  'user.open': fc.record({ requestId: id, class: fc.constantFrom(...userClasses), referrer: count }),
  'user.set': fc.record({ user: count, isFrozen: fc.boolean() }),
  'user.certify': fc.record({ user: count, isCertified: fc.boolean() }),
  'user.house': fc.record({ user: count, isHouse: fc.boolean() }),
  'user.rest': fc.record({ user: count, until: safe }),
  'user.staff': fc.record({ user: count, isStaff: fc.boolean() }),
  'asset.list': fc.record({ symbol, scale: safe }),
  'market.list': fc.record({
    symbol: fc.stringMatching(/^[A-Z0-9]{4,20}$/),
    base: count,
    quote: count,
    tick: decimal,
    lot: decimal,
    terms,
  }),
  'market.set': fc.record({ market: count, terms }),
  'index.tick': fc.record({ prices: fc.array(indexPrice, { maxLength: 40 }) }),
  'clock.tick': fc.record({}),
  'funds.faucet': fc.record({ ...requester, asset: count, amount: safe }),
  'funds.transfer': fc.record(
    {
      ...requester,
      asset: count,
      from: fc.constantFrom(...accountKinds),
      to: fc.constantFrom(...accountKinds),
      market: count.filter((market) => market > 0),
      amount: safe,
    },
    { requiredKeys: ['user', 'clientId', 'asset', 'from', 'to', 'amount'] },
  ),
  'mode.set': fc.record({ type: fc.constant('mode.set'), mode: fc.constantFrom(...modes) }),
  'user.locate': fc.record({
    type: fc.constant('user.locate'),
    user: count,
    region: fc.constantFrom('', 'AA', 'CH', 'ZZ', 'DE+FR', 'ZZ+AA+CH'),
  }),
  'region.operate': fc.record({
    type: fc.constant('region.operate'),
    region: fc.constantFrom('*', 'AA', 'DE', 'ZZ'),
    isLeverageOpen: fc.boolean(),
    isSecondOpen: fc.boolean(),
    proposer: count,
    approver: count,
    reason: fc.stringMatching(/^[ -~]{0,119}[!-~]$/),
  }),
  'funds.system': fc.record({
    account: fc.constantFrom('insurance', 'insurance-margin', 'option-house', 'convert-inventory', 'presale-tokens'),
    asset: count,
    amount: safe,
  }),
  'funds.post': fc.record({
    decision: count,
    from: place,
    to: place,
    asset: count,
    amount: safe,
    proposer: count,
    approver: count,
    reason: fc.stringMatching(/^[ -~]{0,119}[!-~]$/),
  }),
  ...productCommands,
  ...deskCommands,
  'spot.place': fc.record(
    {
      ...requester,
      market: count,
      side,
      orderType: fc.constantFrom('limit', 'market'),
      timeInForce: fc.constantFrom(...timesInForce),
      price: safe,
      lots: safe,
      spend: safe,
      isPostOnly: fc.boolean(),
      display: safe,
      trigger,
      selfTrade,
      expires: fc.constant(true),
      margin: marginOrder,
      strategy,
    },
    { requiredKeys: ['user', 'clientId', 'market', 'side', 'orderType', 'timeInForce', 'isPostOnly', 'selfTrade'] },
  ),
  'perp.list': fc.record({
    symbol: fc.stringMatching(/^[A-Z0-9]{4,20}$/),
    base: count,
    quote: count,
    tick: decimal,
    lot: decimal,
    terms,
    perp,
  }),
  'perp.set': fc.record({ market: count, terms, perp }),
  'perp.place': fc.record(
    {
      ...requester,
      market: count,
      side,
      position: fc.constantFrom(...positionSides),
      orderType: fc.constantFrom('limit', 'market'),
      timeInForce: fc.constantFrom(...timesInForce),
      price: safe,
      lots: safe,
      isPostOnly: fc.boolean(),
      isReduceOnly: fc.boolean(),
      isClosing: fc.boolean(),
      trigger,
      triggerBy: fc.constantFrom(...triggerPrices),
      exits: fc.record({ takeProfit: exit, stopLoss: exit }, { requiredKeys: [] }),
      ...perpEnds,
      selfTrade: perpSelfTrade,
    },
    {
      requiredKeys: [
        'user',
        'clientId',
        'market',
        'side',
        'position',
        'orderType',
        'timeInForce',
        'isPostOnly',
        'isReduceOnly',
        'isClosing',
        'triggerBy',
        'selfTrade',
      ],
    },
  ),
  'perp.amend': fc.record(
    { ...reference, lots: safe, price: safe, priceMatch, triggerPrice: safe },
    { requiredKeys: ['user', 'clientId', 'market', 'order', 'orderClientId'] },
  ),
  'perp.cancel': fc.record(reference),
  'perp.reverse': fc.record({ ...requester, market: count }),
  'perp.setLeverage': fc.record({ user: count, market: count, leverage: safe }),
  'perp.setMarginMode': fc.record({ user: count, market: count, mode: fc.constantFrom(...marginModes) }),
  'perp.setHedgeMode': fc.record({ user: count, isHedge: fc.boolean() }),
  'perp.adjustMargin': fc.record({ ...requester, market: count, position: fc.constantFrom(...positionSides), amount: safe }),
  'spot.placeOco': fc.record(
    {
      ...requester,
      limitClientId: id,
      stopClientId: id,
      market: count,
      side,
      lots: safe,
      limitPrice: safe,
      limitTrigger: safe,
      limitTimeInForce: fc.constantFrom('IOC', 'FOK'),
      stopPrice: safe,
      stopLimit: safe,
      stopTimeInForce: fc.constantFrom('IOC', 'FOK'),
      selfTrade,
      margin: marginOrder,
    },
    { requiredKeys: ['user', 'clientId', 'market', 'side', 'lots', 'stopPrice', 'selfTrade'] },
  ),
  'spot.amend': fc.record(
    { ...reference, lots: safe, price: safe, keepsPriority: fc.constant(true), triggerPrice: safe },
    { requiredKeys: ['user', 'clientId', 'market', 'order', 'orderClientId'] },
  ),
  'spot.cancel': fc.record(
    { ...reference, only: fc.constantFrom(...cancelStates) },
    { requiredKeys: ['user', 'clientId', 'market', 'order', 'orderClientId'] },
  ),
  'spot.cancelAll': fc.record(
    { ...requester, market: count, only: fc.constantFrom(...cancelScopes), endsTwaps: fc.constant(true) },
    { requiredKeys: ['user', 'clientId', 'market'] },
  ),
  'margin.setTerms': fc.record({ terms: marginTerms }),
  'margin.borrow': fc.record({ ...requester, market: count, asset: count, amount: safe }),
  'margin.repay': fc.record({ ...requester, market: count, asset: count, amount: safe }),
  'lend.supply': fc.record({ ...requester, asset: count, amount: safe }),
  'lend.withdraw': fc.record({ ...requester, asset: count, amount: safe }),
  'lend.cancelWithdraw': fc.record({ ...requester, asset: count }),
  'option.setTerms': fc.record({ terms: optionTerms }),
  'option.open': fc.record({
    ...requester,
    market: count,
    direction: fc.constantFrom(...directions),
    stake: safe,
    seconds: safe,
    guardPpm: safe,
  }),
  'option.admit': fc.record({ user: count }),
  'option.setLimits': fc.record({ user: count, lossMax: safe, coolOffUntil: safe }),
  'option.operate': fc.record({
    ...requester,
    amount: safe,
    proposer: count,
    approver: count,
    reason: fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 120 }),
    terms: optionTerms,
  }),
}

/** Every command with any values. A new one does not compile until it is tested. */
export const commandCases: Record<Command['type'], fc.Arbitrary<object>> = {
  ...alone,
  'exchange.operate': fc.record({
    proposer: count,
    approver: count,
    reason: fc.stringMatching(/^[ -~]{0,119}[!-~]$/),
    change: fc.constantFrom(...changeTypes).chain((type) => alone[type].map((change) => ({ ...change, type }))),
  }),
}
