import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireChains } from '@candor/core/protocol/wire/chains.ts'
import { z } from 'zod'
import { coinOf, wireChains } from '../../chains/desk/coins.ts'
import { askedOfEngine } from '../../http/limits.ts'
import { answers, nothing } from '../../http/schema.ts'
import { type Context, execute } from '../../live/context.ts'
import { readAmount } from '../../live/listing.ts'
import { Refused } from '../../refused.ts'
import type { App } from '../app.ts'
import { assetNamed, type ChainsDoor, depositDesk, sumsOf } from './desks.ts'
import * as schema from './schema.ts'

const tags = ['deposits']
/** The terms in all answers are at most this old. */
const keptMs = 2_000

/** The networks with their coins, and the deposits of a customer. */
export function depositRoutes(app: App, context: Context, door: ChainsDoor): void {
  debtRoute(app, context)
  const { config } = door
  const desk = depositDesk(context, door)
  let kept: { readonly at: number; readonly read: Promise<WireChains> } | undefined
  const read = async (): Promise<WireChains> =>
    wireChains(config, (symbol) => assetNamed(context, symbol), config === undefined ? [] : await context.ask.withdrawTerms())

  app.get(
    '/chains',
    {
      schema: {
        ...{ tags, summary: 'The networks on which coins come and go, with their coins and terms', querystring: nothing },
        response: answers(schema.chains),
      },
    },
    () => {
      const now = performance.now()
      if (kept === undefined || now - kept.at > keptMs) {
        kept = { at: now, read: read() }
        kept.read.catch(() => (kept = undefined))
      }
      return kept.read
    },
  )

  app.get(
    '/deposits/address',
    {
      // It writes a row for an account that has no address, and asks the database until it is there.
      config: { auth: 'session', isLocking: true },
      schema: {
        ...{ tags, summary: 'The customer’s own address on a network, signed by the wallet service' },
        querystring: z.strictObject({ network: schema.networkName }),
        response: answers(schema.depositAddress),
      },
    },
    (request) => desk.address(request.query.network, request.session),
  )

  app.get(
    '/deposits',
    {
      config: { auth: 'session', weight: askedOfEngine.light },
      schema: {
        ...{ tags, summary: 'The customer’s deposits, newest first, and what is owed for vanished ones' },
        ...{ querystring: schema.depositPage, response: answers(schema.deposits) },
      },
    },
    (request) => {
      if (request.query.asset !== undefined) context.listing.assetNamed(request.query.asset)
      const { state, from: since, to: until, ...page } = request.query
      return desk.list(request.session, { ...page, since, until, ...(state === undefined ? {} : { states: [state] }) })
    },
  )

  app.post(
    '/sandbox/deposits',
    {
      config: { auth: 'session', isLocking: true },
      schema: {
        ...{ tags, summary: 'Send test coins to the customer’s own address; sandbox only', querystring: nothing },
        ...{ body: schema.testDeposit, response: answers(schema.testSent) },
      },
    },
    (request) => {
      if (context.mode !== 'sandbox' || config?.faucet === undefined) throw new Refused('SANDBOX_ONLY')
      const { network, asset, amount } = request.body
      const coin = coinOf(config, (symbol) => assetNamed(context, symbol), network, asset)
      readAmount(coin.asset, amount, 'amount')
      return desk.sendTest({ network, asset, amount }, request.session)
    },
  )
}

function debtRoute(app: App, context: Context): void {
  app.post(
    '/debts/repay',
    {
      config: { auth: 'session', isLocking: true },
      schema: {
        ...{ tags, summary: 'Repay what is owed for a vanished deposit, as far as the spot account has it', querystring: nothing },
        ...{ body: schema.debtRepayment, response: answers(schema.debts) },
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      await execute(context, user, { type: 'chain.repay', user, asset: context.listing.assetNamed(request.body.asset).id })
      return { debts: sumsOf(context, (await context.ask.chainStanding(user)).debts) }
    },
  )
}
