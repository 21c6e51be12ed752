import type { Brand } from '../money/brand.ts'

/**
 * Dense number that the core assigns to a user at `user.open`, from 1. 0 is the exchange itself. Never shown to people, who see
 * the UID.
 */
export type UserId = Brand<number, 'UserId'>

/** The number below zero under which one of the exchange's own accounts has an owner, from `systemOwner`. */
export type SystemOwner = Brand<number, 'SystemOwner'>

/** Owner of accounts: a user or the exchange itself. */
export type OwnerId = UserId | SystemOwner

/** Kind of an owner's account: number in `accountKinds` + 16 × market of an isolated account. */
export type KindNumber = Brand<number, 'KindNumber'>

/** One of an owner's accounts: its kind and asset in one number, from `accountSlot`. */
export type AccountNumber = Brand<number, 'AccountNumber'>

/** Side of a position: number in `positionSides`. */
export type PositionNumber = Brand<number, 'PositionNumber'>

/** How many parts an order has, or has left, that the exchange carries out in parts. */
export type Parts = Brand<number, 'Parts'>

/** Number in `algoKinds`. */
export type AlgoKindNumber = Brand<number, 'AlgoKindNumber'>

/** Number in `scaledShapes`. */
export type ShapeNumber = Brand<number, 'ShapeNumber'>

/** Reason of an entry: number in `entryReasons`. */
export type ReasonNumber = Brand<number, 'ReasonNumber'>

/** Reason why an order left the core: number in `closeReasons`. */
export type CloseNumber = Brand<number, 'CloseNumber'>
/** 1 + the number in `priceMatches`; 0 for an order with a price of its own. */
export type MatchNumber = Brand<number, 'MatchNumber'>

/** Small stable number of an asset, from 1; never reused. */
export type AssetId = Brand<number, 'AssetId'>

/** Small stable number of a market, from 1; never reused. 0 means "all markets" on `/wss`. */
export type MarketId = Brand<number, 'MarketId'>

/** Order number: one counter for the orders of all markets, from 1. */
export type OrderId = Brand<number, 'OrderId'>

/** Trade number: one counter per market, from 1. */
export type TradeId = Brand<number, 'TradeId'>

/** Number of a match that self-trade prevention did not let happen: one counter per market, from 1. */
export type PreventedMatchId = Brand<number, 'PreventedMatchId'>

/** Number of a decision of the staff, from 1. */
export type DecisionNumber = Brand<number, 'DecisionNumber'>

/** Number of a network in the core, from 1 to 255; given by configuration and never reused. */
export type NetworkNumber = Brand<number, 'NetworkNumber'>

/** Number of the posting of a deposit, from 1. Those of one network come in about rising order. */
export type CreditNumber = Brand<number, 'CreditNumber'>

/** Number of a withdrawal: the journal position of its request. The outcome of the request has it plus `movementsFrom` as its order. */
export type WithdrawalNumber = Brand<number, 'WithdrawalNumber'>

/** Number of a quote: the journal position of the command that asked for it. The outcome has it plus `movementsFrom` as its order. */
export type QuoteNumber = Brand<number, 'QuoteNumber'>

/** Number of a presale, from 1. Whoever opens one chooses it. */
export type PresaleNumber = Brand<number, 'PresaleNumber'>

/** Position of a tier in the fee schedule, from 0. */
export type TierNumber = Brand<number, 'TierNumber'>

/** Position of a command in the journal, from 1, without gaps. */
export type Seq = Brand<number, 'Seq'>

/**
 * Transfers, loans and repayments have no order number. Their outcome has this plus their journal position in its place, so that
 * a repeat finds the first one. All order numbers are lower.
 */
export const movementsFrom = 2 ** 52

/** A client's own name for a request: 1 to 36 of `A-Z a-z 0-9 . : / _ -`, unique per user. Empty: none given. */
export type ClientId = string

export const clientIdPattern = /^[A-Za-z0-9.:/_-]{1,36}$/
