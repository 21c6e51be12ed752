import type { Brand } from '../money/brand.ts'

/** Dense number that the core gives a user at `user.open`, from 1. 0 is the exchange itself. Never shown: people see the UID. */
export type UserId = Brand<number, 'UserId'>

/** One of the exchange's own as an owner of accounts: below zero, as `systemOwner` gives it. */
export type SystemOwner = Brand<number, 'SystemOwner'>

/** Whose accounts: a user's, or the exchange's own. */
export type OwnerId = UserId | SystemOwner

/** Which accounts of an owner: number in `accountKinds` + 16 × market of an isolated one. */
export type KindNumber = Brand<number, 'KindNumber'>

/** Which account of an owner: its kind and asset in one number, as `accountSlot` gives it. */
export type AccountNumber = Brand<number, 'AccountNumber'>

/** What an entry was for: number in `entryReasons`. */
export type ReasonNumber = Brand<number, 'ReasonNumber'>

/** Why an order left the core: number in `closeReasons`. */
export type CloseNumber = Brand<number, 'CloseNumber'>

/** Small stable number of an asset, from 1; never reused. */
export type AssetId = Brand<number, 'AssetId'>

/** Small stable number of a market, from 1; never reused. 0 means "all markets" on `/wss`. */
export type MarketId = Brand<number, 'MarketId'>

/** One counter for all orders of all markets, from 1. */
export type OrderId = Brand<number, 'OrderId'>

/** Counter per market, from 1. */
export type TradeId = Brand<number, 'TradeId'>

/** Position of a command in the journal, from 1, without gaps. */
export type Seq = Brand<number, 'Seq'>

/**
 * A movement of money between accounts, a loan and a repayment have no order: in their outcome its place holds this and their
 * own position in the journal, so that a repeat finds the first one. Above all order numbers.
 */
export const movementsFrom = 2 ** 52

/** What a client calls its own request: 1 to 36 of `A-Z a-z 0-9 . : / _ -`. Unique per user. Empty: none given. */
export type ClientId = string

export const clientIdPattern = /^[A-Za-z0-9.:/_-]{1,36}$/
