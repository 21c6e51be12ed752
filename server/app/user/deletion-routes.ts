import { accountKinds } from '@candor/core/protocol/account.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireDeletion, WireDeletionRequest } from '@candor/core/protocol/wire/deletion.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AddressBook } from '../../chains/book/book.ts'
import { waitingDeposits } from '../../chains/desk/deposits.ts'
import type { Deletions } from '../../identity/gates/deletions.ts'
import type { Person } from '../../identity/factors/factors.ts'
import { answers, decimalOut, millis, nothing } from '../../http/schema.ts'
import type { Context } from '../../live/context.ts'
import { remainsOf } from '../../live/accounts/remains.ts'
import { amountText } from '../../live/listing.ts'
import type { Papers } from '../../papers/papers.ts'
import type { App } from '../app.ts'
import { type Cookies, visitorOf } from './cookies.ts'

const tags = ['safety']
const count = z.int().nonnegative()

const deletion = z
  .strictObject({
    dueAt: millis.nullable(),
    remains: z.array(z.strictObject({ kind: z.enum(accountKinds), asset: z.string(), amount: decimalOut })).readonly(),
    ...{ openOrders: count, algos: count, positions: count, loans: count, claims: count, options: count },
    ...{ debts: count, withdrawals: count, presales: count, deposits: count, mayGiveUp: z.boolean() },
  })
  .meta({ id: 'Deletion' }) satisfies z.ZodType<WireDeletion>

const deletionRequest = z.strictObject({ givesUp: z.boolean() }).meta({ id: 'DeletionRequest' }) satisfies z.ZodType<WireDeletionRequest>

export type DeletionContext = Pick<Context, 'ask' | 'listing' | 'mode' | 'pool'>

/** The rooms with data about a customer. */
export type DeletionRooms = { readonly deletions: Deletions; readonly papers: Papers; readonly book: AddressBook }

/** The deletion of the account, and the file of what is stored about its owner. */
export function deletionRoutes(app: App, context: DeletionContext, { deletions, papers, book }: DeletionRooms, cookies: Cookies): void {
  const personOf = (request: FastifyRequest): Person => ({ session: request.session, visitor: visitorOf(request, cookies) })
  app.get(
    '/deletion',
    {
      config: { auth: 'session' },
      schema: {
        ...{ tags, summary: 'What stands against the deletion of the account', querystring: nothing, response: answers(deletion) },
      },
    },
    async ({ session: { account, user } }): Promise<WireDeletion> => {
      const { listing, mode } = context
      const [{ balances, ...counts }, deposits] = await Promise.all([
        remainsOf(context.ask, user as UserId),
        waitingDeposits(context.pool, account),
      ])
      const remains = balances.map(({ kind, asset: id, amount }) => {
        const asset = listing.asset(id)
        return { kind, asset: asset.symbol, amount: amountText(asset, amount) }
      })
      return { dueAt: (await deletions.dueAt(account)) ?? null, remains, ...counts, deposits, mayGiveUp: mode === 'sandbox' }
    },
  )

  app.post(
    '/deletion',
    {
      config: { auth: 'session', isAuth: true, isLocking: true },
      schema: {
        ...{ tags, summary: 'Delete the account in 14 days, unless its owner logs in before', querystring: nothing },
        ...{ body: deletionRequest, response: answers(z.strictObject({ dueAt: millis })) },
      },
    },
    async (request, reply) => {
      const dueAt = await deletions.ask(request.body.givesUp, personOf(request))
      cookies.logOut(reply)
      return { dueAt }
    },
  )

  app.post(
    '/me/data',
    {
      config: { auth: 'session', isAuth: true, isLocking: true },
      schema: {
        ...{ tags, summary: 'What is stored about the account’s owner, as one file', querystring: nothing },
        response: answers(z.record(z.string(), z.unknown())),
      },
    },
    async (request, reply) => {
      const data = await deletions.dataOf(personOf(request))
      reply.header('content-disposition', 'attachment; filename="my-data.json"')
      const { account } = request.session
      const { addresses, past } = await book.list(account)
      return { ...data, identityCheck: await papers.of(account), withdrawalAddresses: { addresses, past } }
    },
  )
}
