import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import { stateHash } from '../journal/replay.ts'
import type { Engine } from './engine.ts'

type Answer<Q extends keyof Ask> = Awaited<ReturnType<Ask[Q]>>

/** One line per question; the compiler demands a new one here. Answers are plain data: they travel as JSON. */
const questions: { readonly [Q in keyof Ask]: (exchange: Exchange, ...args: Parameters<Ask[Q]>) => Answer<Q> } = {
  listing: (exchange) => exchange.listing(),
  mode: (exchange) => exchange.mode ?? null,
  balances: (exchange, user) => exchange.balances(user),
  openOrders: (exchange, user, market) => exchange.openOrders(user, market),
  ordersAt: (exchange, user) => ({ seq: exchange.seq, orders: exchange.openOrders(user) }),
  book: (exchange, market) => exchange.book(market),
  tier: (exchange, user) => exchange.tier(user),
  perpAccount: (exchange, user) => exchange.perpAccount(user),
  marks: (exchange) => exchange.marks(),
  marginTerms: (exchange) => exchange.marginTerms(),
  marginAccounts: (exchange, user, market) => exchange.marginAccounts(user, market),
  pools: (exchange) => exchange.pools(),
  claims: (exchange, user) => exchange.claims(user),
  optionTerms: (exchange) => exchange.optionTerms(),
  optionMe: (exchange, user) => exchange.optionMe(user),
  openOptions: (exchange, user) => exchange.openOptions(user),
  requestRoom: (exchange, user) => ({ seq: exchange.seq, ...exchange.requestRoom(user) }),
  standing: (exchange, user) => exchange.standing(user),
  chainStanding: (exchange, user) => exchange.chain.standing(user),
  withdrawals: (exchange) => exchange.chain.withdrawals(),
  withdrawTerms: (exchange) => exchange.chain.terms(),
  chainFlows: (exchange) => exchange.chain.flows(),
  convertTerms: (exchange) => exchange.convert.terms(),
  convertStanding: (exchange, user) => exchange.convert.standing(user),
  convertInventory: (exchange) => exchange.convert.inventory(),
  referralTerms: (exchange) => exchange.referral.terms(),
  referralStanding: (exchange, user) => exchange.referral.standing(user),
  firmStanding: (exchange, user) => exchange.firm.standing(user),
  presales: (exchange) => exchange.presale.all(),
  presaleSubscriptions: (exchange, user) => exchange.presale.subscriptions(user),
  presaleTokens: (exchange, token) => exchange.presale.free(token),
  regions: (exchange) => exchange.regions(),
  seq: (exchange) => exchange.seq,
  head: (exchange) => ({ seq: exchange.seq, hash: stateHash(exchange) }),
}

export type Question = { readonly name: keyof Ask; readonly args: readonly unknown[] }

export const questionNames = Object.keys(questions) as readonly (keyof Ask)[]

/** Rejects with Refused('UNAVAILABLE') when the engine is not up, and when the question is unknown. */
export function answerQuestion(engine: Engine, question: Question): Promise<unknown> {
  const answer = questions[question.name] as (exchange: Exchange, ...args: readonly unknown[]) => unknown
  return engine.ask((exchange) => answer(exchange, ...question.args))
}

/** The port `Ask` over any transport that carries a question to the engine. */
export function makeAsk(carry: (question: Question) => Promise<unknown>): Ask {
  // JSON has no undefined: a missing argument must not arrive as null, which the core would take for a market.
  const entries = questionNames.map((name) => [
    name,
    (...args: unknown[]) => carry({ name, args: args.filter((arg) => arg !== undefined) }),
  ])
  return Object.fromEntries(entries) as Ask
}
