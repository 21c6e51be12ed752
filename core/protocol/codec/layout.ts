/**
 * Offsets of all fields in a command. Opcodes and offsets are on disk: append only, never renumber.
 *
 *   0 head · 1 seq · 2 at · 3 user · 4 key · 5…10 client id · 11… body
 */
import type { Brand } from '../../money/brand.ts'

export const SEQ = 1
export const AT = 2
export const USER = 3
export const KEY = 4
export const CLIENT_ID = 5
export const BODY = 11

export const commandCodes = {
  'user.open': 1,
  'user.set': 2,
  'asset.list': 3,
  'market.list': 4,
  'market.set': 5,
  'fees.set': 6,
  'index.tick': 7,
  'clock.tick': 8,
  'funds.faucet': 9,
  'funds.transfer': 10,
  'spot.place': 11,
  'spot.placeOco': 12,
  'spot.amend': 13,
  'spot.cancel': 14,
  'spot.cancelAll': 15,
  'spot.placeList': 150,
  'user.certify': 16,
  'funds.system': 17,
  'mode.set': 18,
  'user.house': 19,
  'perp.list': 20,
  'perp.set': 21,
  'perp.place': 22,
  'perp.amend': 23,
  'perp.cancel': 24,
  'perp.reverse': 25,
  'perp.setLeverage': 26,
  'perp.setMarginMode': 27,
  'perp.setHedgeMode': 28,
  'perp.adjustMargin': 29,
  'perp.countdown': 30,
  'margin.setTerms': 40,
  'margin.borrow': 41,
  'margin.repay': 42,
  'lend.supply': 43,
  'lend.withdraw': 44,
  'lend.cancelWithdraw': 45,
  'option.setTerms': 60,
  'option.open': 61,
  'option.admit': 62,
  'option.setLimits': 63,
  'option.operate': 64,
  'region.operate': 80,
  'user.locate': 81,
  'user.rest': 82,
  'user.staff': 83,
  'exchange.operate': 84,
  'funds.post': 85,
  'chain.credit': 86,
  'chain.final': 87,
  'chain.orphan': 88,
  'chain.repay': 89,
  'withdraw.setTerms': 90,
  'withdraw.request': 91,
  'withdraw.cancel': 92,
  'withdraw.decide': 93,
  'withdraw.finish': 94,
  'convert.setTerms': 100,
  'convert.quote': 101,
  'convert.accept': 102,
  'convert.hedge': 103,
  'referral.setTerms': 130,
  'referral.sever': 131,
  'firm.join': 140,
  'firm.move': 141,
  'firm.setTerms': 142,
  'algo.place': 160,
  'algo.cancel': 161,
  'presale.set': 110,
  'presale.cancel': 111,
  'presale.subscribe': 112,
} as const

/** Bit of a trade's side: both users are the house's own. */
export const HOUSE_TRADE = 1 << 1

/** The flags of an order, in the command, in the book and in `order.accepted`: the bits below. */
export type OrderFlags = Brand<number, 'OrderFlags'>

export const SELL = 1
export const MARKET_ORDER = 1 << 1
export const TIF_SHIFT = 2
export const TIF_MASK = 3 << TIF_SHIFT
export const POST_ONLY = 1 << 4
export const SELF_TRADE_SHIFT = 5
export const SELF_TRADE_MASK = 3 << SELF_TRADE_SHIFT
export const STOP = 1 << 7
export const TRAILING = 1 << 8
export const FALLS = 1 << 9
/** Flags of the optional fields that the command has. */
export const HAS_PRICE = 1 << 10
export const HAS_LOTS = 1 << 11
export const HAS_SPEND = 1 << 12
export const HAS_DISPLAY = 1 << 13
export const HAS_ACTIVATION = 1 << 14
/** Orders of margin accounts. */
export const CROSS_MARGIN = 1 << 15
export const ISOLATED_MARGIN = 1 << 16
/** Orders of spot markets: the third bit of the number in `selfTradeModes`. Futures orders use bits 17 to 19 otherwise. */
export const DECREMENTS = 1 << 17
export const DECREMENT_SHIFT = 15
/** Orders of margin accounts: the unused part of the order's loan is repaid when it ends. */
export const REPAYS_AT_END = 1 << 18
/** Orders of spot markets: two more slots have the program's strategy numbers. */
export const HAS_STRATEGY = 1 << 19
/** Futures orders. */
export const REDUCE_ONLY = 1 << 17
export const CLOSING = 1 << 18
export const BY_MARK = 1 << 19
/** Bits 20 to 23 belong to the book: see `core/book/order-fields.ts`. Number in `positionSides` plus 1; 0: not a Futures order. */
export const POSITION_SHIFT = 24
export const POSITION_MASK = 3 << POSITION_SHIFT
export const LIQUIDATION = 1 << 26
/** Number in `borrowModes`. */
export const BORROW_SHIFT = 27
export const BORROW_MASK = 3 << BORROW_SHIFT
/** A Futures order with a take profit or stop loss for its position: three more slots have them. */
export const HAS_EXITS = 1 << 29
/** Orders of spot markets: an order that can't be filled as requested is accepted and ends at once. */
export const EXPIRES = 1 << 30
/** Futures orders: the order ends at a date or takes its price from the book, and more slots say so. */
export const HAS_TERMS = 1 << 30
/** Flags that `spot.place` may have. */
export const PLACE_FLAGS =
  ((1 << 15) - 1) | DECREMENTS | CROSS_MARGIN | ISOLATED_MARGIN | BORROW_MASK | REPAYS_AT_END | HAS_STRATEGY | EXPIRES
/** Flags that `perp.place` may have. */
export const PERP_FLAGS =
  (((1 << 15) - 1) & ~HAS_SPEND & ~HAS_DISPLAY) | REDUCE_ONLY | CLOSING | BY_MARK | POSITION_MASK | HAS_EXITS | HAS_TERMS

export const IOC = 1 << TIF_SHIFT
export const FOK = 2 << TIF_SHIFT

// spot.place
export const PLACE_MARKET = 11
export const PLACE_FLAGS_AT = 12
export const PLACE_PRICE = 13
export const PLACE_LOTS = 14
export const PLACE_SPEND = 15
export const PLACE_DISPLAY = 16
/** Trigger price of a stop, trail in ppm of a trailing order. */
export const PLACE_TRIGGER = 17
export const PLACE_ACTIVATION = 18
export const PLACE_LENGTH = 19
/** With `HAS_STRATEGY`: 1 + number and 1 + type of the strategy, 0 for one that was not given. */
export const PLACE_STRATEGY = 19
export const PLACE_STRATEGY_TYPE = 20
export const STRATEGY_SLOTS = 2

// spot.placeOco
export const OCO_MARKET = 11
export const OCO_FLAGS = 12
export const OCO_LOTS = 13
export const OCO_LIMIT = 14
export const OCO_STOP = 15
export const OCO_STOP_LIMIT = 16
export const OCO_LIMIT_ID = 17
export const OCO_STOP_ID = 23
export const OCO_LENGTH = 29
/** One more slot when the limit leg sleeps too: its trigger. */
export const OCO_LIMIT_TRIGGER = 29
export const OCO_HAS_STOP_LIMIT = 1 << 1
export const OCO_HAS_LIMIT_ID = 1 << 2
export const OCO_HAS_STOP_ID = 1 << 3
export const OCO_HAS_LIMIT_TRIGGER = 1 << 4
/** Times in force of the two legs when they become limit orders. */
export const OCO_STOP_TIF_SHIFT = 7
export const OCO_LIMIT_TIF_SHIFT = 9
/** The limit leg has no price: it becomes a market order when it wakes. */
export const OCO_LIMIT_TAKES = 1 << 11
const OCO_GIVEN =
  OCO_HAS_STOP_LIMIT | OCO_HAS_LIMIT_ID | OCO_HAS_STOP_ID | OCO_HAS_LIMIT_TRIGGER | OCO_LIMIT_TAKES | (15 << OCO_STOP_TIF_SHIFT)
export const OCO_FLAG_BITS = SELL | OCO_GIVEN | SELF_TRADE_MASK | DECREMENTS | CROSS_MARGIN | ISOLATED_MARGIN | BORROW_MASK | REPAYS_AT_END

// spot.amend and spot.cancel name an order in the same way.
export const REF_MARKET = 11
export const REF_ORDER = 12
export const REF_CLIENT_ID = 13
export const CANCEL_LENGTH = 19
/** One more slot for a cancel that names a state: 1 + the number in `cancelStates`. */
export const CANCEL_STATE = 19
export const AMEND_FLAGS = 19
export const AMEND_LOTS = 20
export const AMEND_PRICE = 21
export const AMEND_LENGTH = 22
export const AMEND_HAS_LOTS = 1
export const AMEND_HAS_PRICE = 2
/** Refused if it would lose its place in the queue. */
export const AMEND_KEEPS = 4

// spot.cancelAll
export const CANCEL_ALL_MARKET = 11
export const CANCEL_ALL_LENGTH = 12
/**
 * One more slot for a cancel-all with a scope: 1 + the number in `cancelScopes`. Plus 1, because a trailing 0 counts as absent when
 * requests are compared.
 */
export const CANCEL_ALL_ONLY = 12
/** Two more slots for one that ends TWAP orders: the scope (0: none), and 1. */
export const CANCEL_ALL_TWAPS = 13

// funds
export const FAUCET_ASSET = 11
export const FAUCET_AMOUNT = 12
export const FAUCET_LENGTH = 13
export const TRANSFER_ASSET = 11
export const TRANSFER_FROM = 12
export const TRANSFER_TO = 13
export const TRANSFER_AMOUNT = 14
export const TRANSFER_MARKET = 15
export const TRANSFER_LENGTH = 16
export const SYSTEM_ACCOUNT = 11
export const SYSTEM_ASSET = 12
export const SYSTEM_AMOUNT = 13
export const SYSTEM_LENGTH = 14
export const POST_DECISION = 11
/** Numbers of the owners: users are above zero, the exchange's own accounts below. */
export const POST_FROM = 12
export const POST_TO = 13
export const POST_ASSET = 14
export const POST_AMOUNT = 15
export const POST_PROPOSER = 16
export const POST_APPROVER = 17
export const POST_REASON = 18

// chain: credits begin alike; withdrawals that exist are named alike.
export const CREDIT_NETWORK = 11
export const CREDIT_NUMBER = 12
export const CREDIT_LENGTH = 13
export const CREDIT_ASSET = 13
export const CREDIT_AMOUNT = 14
export const CREDIT_IS_FINAL = 15
export const CREDIT_WHOLE_LENGTH = 16
export const REPAY_ASSET = 11
export const REPAY_LENGTH = 12
export const WITHDRAW_ASSET = 11
export const WITHDRAW_NETWORK = 12
export const WITHDRAW_TERMS = 13
export const WITHDRAW_TERMS_SLOTS = 5
export const WITHDRAW_TERMS_LENGTH = WITHDRAW_TERMS + WITHDRAW_TERMS_SLOTS
export const WITHDRAW_AMOUNT = 13
export const WITHDRAW_FEE = 14
export const WITHDRAW_DESTINATION = 15
export const WITHDRAW_LENGTH = 16
export const WITHDRAWAL = 11
export const WITHDRAWAL_LENGTH = 12
/** Whether it is approved, or paid. */
export const WITHDRAWAL_IS_GOOD = 12
export const WITHDRAWAL_END_LENGTH = 13
export const WITHDRAWAL_FIRST = 13
export const WITHDRAWAL_SECOND = 14
export const WITHDRAWAL_REASON = 15

// convert
export const CONVERT_TERMS = 11
export const CONVERT_FROM = 11
export const CONVERT_TO = 12
export const CONVERT_AMOUNT = 13
export const CONVERT_IS_GET = 14
export const CONVERT_QUOTE_LENGTH = 15
export const CONVERT_QUOTE = 11
export const CONVERT_ACCEPT_LENGTH = 12
export const CONVERT_HEDGE_ASSET = 11
export const CONVERT_HEDGE_AMOUNT = 12
export const CONVERT_HEDGE_IS_TAKING = 13
export const CONVERT_HEDGE_LENGTH = 14

// referral
export const REFERRAL_TERMS = 11
export const REFERRAL_REASON = 11
export const REFERRAL_SEVER_LENGTH = 12

// user
export const OPEN_CLASS = 11
export const OPEN_REFERRER = 12
export const OPEN_LENGTH = 13
export const USER_FROZEN = 11
export const USER_SET_LENGTH = 12
export const CERTIFIED = 11
export const CERTIFY_LENGTH = 12
export const HOUSE = 11
export const HOUSE_LENGTH = 12

export const REST_UNTIL = 11
export const REST_LENGTH = 12
export const STAFF = 11
export const STAFF_LENGTH = 12

// mode
export const MODE = 11
export const MODE_LENGTH = 12
export const LOCATE_REGION = 11
export const LOCATE_LENGTH = 12
export const REGION = 11
export const REGION_LEVERAGE = 12
export const REGION_SECOND = 13
export const REGION_PROPOSER = 14
export const REGION_APPROVER = 15
export const REGION_REASON = 16

// exchange: the whole record of the change follows, without a stamp
export const DECIDE_PROPOSER = 11
export const DECIDE_APPROVER = 12
export const DECIDE_REASON = 13
export const DECIDE_CHANGE = 33

// market
export const ASSET_SYMBOL = 11
export const ASSET_SCALE = 13
export const ASSET_LENGTH = 14
export const LIST_SYMBOL = 11
export const LIST_BASE = 15
export const LIST_QUOTE = 16
export const LIST_TICK = 17
export const LIST_LOT = 21
export const LIST_TERMS = 25
export const TERMS_SLOTS = 9
export const LIST_LENGTH = LIST_TERMS + TERMS_SLOTS
export const SET_MARKET = 11
export const SET_TERMS = 12
export const SET_LENGTH = SET_TERMS + TERMS_SLOTS
export const FEES_COUNT = 11
export const FEES_PERP_COUNT = 12
/** The tiers of Spot, then those of Futures. */
export const FEES_TIERS = 13
export const TIER_SLOTS = 3
export const INDEX_COUNT = 11
export const INDEX_PRICES = 12
/** Offsets in a price of an index tick, and of a tape tick. */
export const INDEX_MARKET = 0
export const INDEX_PRICE = 1
export const INDEX_SOURCES = 2
export const INDEX_IS_GOOD = 3
export const INDEX_QUOTES = 4
/** Fixed slots of a price; those of its quotes follow as `index-prices.ts` packs them. */
export const INDEX_SLOTS = 5

// option
export const OPTION_TERMS = 11
export const OPTION_MARKET = 11
export const OPTION_DIRECTION = 12
export const OPTION_STAKE = 13
export const OPTION_SECONDS = 14
export const OPTION_GUARD = 15
export const OPTION_LENGTH = 16
export const OPTION_LOSS_MAX = 11
export const OPTION_COOL_OFF = 12
export const OPTION_LIMITS_LENGTH = 13
export const OPERATE_AMOUNT = 11
export const OPERATE_PROPOSER = 12
export const OPERATE_APPROVER = 13
export const OPERATE_REASON = 14
export const OPERATE_TERMS = 34

// perp: orders, amends and cancels are stored like those of spot; listings and terms are followed by those of the contract.
/** Exits of an order, after the slots that every order has; 0 for an absent exit. */
export const PLACE_TAKE_PROFIT = PLACE_LENGTH
export const PLACE_STOP_LOSS = PLACE_LENGTH + 1
export const PLACE_EXITS = PLACE_LENGTH + 2
export const PLACE_EXITS_LENGTH = PLACE_LENGTH + 3
/** With `HAS_TERMS`, after the slots of the exits: the date, 0 for none; and 1 + the number in `priceMatches`, 0 for a price. */
export const PLACE_GOOD_TILL = PLACE_EXITS_LENGTH
export const PLACE_MATCH = PLACE_EXITS_LENGTH + 1
export const PLACE_TERMS_LENGTH = PLACE_EXITS_LENGTH + 2
/** One more slot for an amend that takes the price from the book: 1 + the number in `priceMatches`. */
export const AMEND_MATCH = AMEND_LENGTH
export const AMEND_HAS_MATCH = 8
/** Bits of `PLACE_EXITS`. */
export const HAS_TAKE_PROFIT = 1
export const HAS_STOP_LOSS = 1 << 1
export const TAKE_PROFIT_BY_MARK = 1 << 2
export const STOP_LOSS_BY_MARK = 1 << 3
export const PERP_MARKET = 11
export const PERP_REVERSE_LENGTH = 12
/** Leverage, or number in `marginModes`. */
export const PERP_SETTING = 12
export const PERP_SETTING_LENGTH = 13
export const PERP_HEDGE = 11
export const PERP_HEDGE_LENGTH = 12
export const PERP_POSITION = 12
export const PERP_AMOUNT = 13
export const PERP_ADJUST_LENGTH = 14
/** Milliseconds from the command's time; 0 stops the countdown. */
export const PERP_COUNTDOWN = 12
export const PERP_COUNTDOWN_LENGTH = 13
