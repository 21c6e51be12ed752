import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireFirmBalances } from '@candor/core/protocol/wire/firm/firm.ts'
import type { FastifyRequest } from 'fastify'
import type { FirmsDesk } from '../../firms/desk.ts'
import { FirmHistory } from '../../firms/history.ts'
import { membershipOf, reaches } from '../../firms/membership.ts'
import { accountsOf } from '../../firms/reading.ts'
import { moveCommand } from '../../firms/accounts.ts'
import { csvOf } from '../../http/csv.ts'
import { answers, noContent, nothing } from '../../http/schema.ts'
import type { Person } from '../../identity/factors/factors.ts'
import { holdingsOf, netUsdt, usdtText, wireAccounts } from '../../live/accounts/holdings.ts'
import { type Context, execute } from '../../live/context.ts'
import { readAmount } from '../../live/listing.ts'
import type { App } from '../app.ts'
import { type Cookies, visitorOf } from '../user/cookies.ts'
import * as schema from './schema.ts'

const tags = ['firms']
const config = { auth: 'session' } as const
/** Each locks the firm's row. */
const locking = { auth: 'session', isLocking: true } as const
/** The balances of up to 21 accounts. */
const many = { auth: 'session', weight: () => 25 } as const
const pageDefault = 50
/** Entries of one file, the newest ones. */
const fileMax = 2_000
const columns = ['time', 'action', 'who', 'account', 'detail', 'device', 'ip'] as const

type Parts = { readonly desk: FirmsDesk; readonly context: Context; readonly personOf: (request: FastifyRequest) => Person }

/** Firms of the user. What members do for an account of a firm goes by the ordinary routes, with the header that names the account. */
export function firmRoutes(app: App, context: Context, desk: FirmsDesk, cookies: Cookies): void {
  const personOf = (request: FastifyRequest): Person => ({ session: request.session, visitor: visitorOf(request, cookies) })
  const parts = { desk, context, personOf }
  firmsRoutes(app, parts)
  accountRoutes(app, parts)
  moneyRoutes(app, parts)
  memberRoutes(app, parts)
  answerRoutes(app, parts)
  logRoutes(app, parts)
}

function firmsRoutes(app: App, { desk: { reading, applications }, personOf }: Parts): void {
  app.get(
    '/firms',
    {
      config,
      schema: { tags, summary: 'Firms of the user, and invitations to firms', querystring: nothing, response: answers(schema.firms) },
    },
    (request) => reading.list(request.session.account),
  )

  app.post(
    '/firms',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Apply for a firm; the exchange decides', querystring: nothing },
        ...{ body: schema.newFirm, response: answers(schema.firm, 201) },
      },
    },
    async (request, reply) => {
      const id = await applications.apply(request.body, personOf(request))
      return reply.code(201).send(await reading.firm(id, request.session.account))
    },
  )

  app.get(
    '/firms/:id',
    {
      config,
      schema: { tags, summary: 'A firm', params: schema.byFirm, querystring: nothing, response: answers(schema.firm) },
    },
    (request) => reading.firm(request.params.id, request.session.account),
  )
}

function accountRoutes(app: App, { desk: { reading, accounts }, personOf }: Parts): void {
  app.post(
    '/firms/:id/accounts',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Open a sub-account', params: schema.byFirm, querystring: nothing },
        ...{ body: schema.newAccount, response: answers(schema.firm, 201) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      await accounts.make(id, request.body, personOf(request))
      return reply.code(201).send(await reading.firm(id, request.session.account))
    },
  )

  app.patch(
    '/firms/:id/accounts/:account',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Rename an account, archive an empty one, or use it again', params: schema.byAccount, querystring: nothing },
        ...{ body: schema.accountChange, response: answers(schema.firm) },
      },
    },
    async (request) => {
      const { id, account } = request.params
      await accounts.change(id, account, request.body, personOf(request))
      return reading.firm(id, request.session.account)
    },
  )
}

function moneyRoutes(app: App, { desk, context, personOf }: Parts): void {
  app.get(
    '/firms/:id/balances',
    {
      config: many,
      schema: {
        ...{ tags, summary: 'Balances of the accounts that the member sees' },
        ...{ params: schema.byFirm, querystring: nothing, response: answers(schema.balances) },
      },
    },
    async (request): Promise<WireFirmBalances> => {
      const { id } = request.params
      const { member } = await membershipOf(desk.db, id, request.session.account, 'read')
      const seen = (await accountsOf(desk.db, id)).filter((one) => one.isOpen && one.user !== null && reaches(member, one.id))
      let total = 0n
      const accounts = await Promise.all(
        seen.map(async (one) => {
          const holdings = await holdingsOf(context, one.user as UserId)
          const worth = netUsdt(context, holdings)
          total += worth
          return { id: one.id, totalUsdt: usdtText(worth), accounts: wireAccounts(context, holdings) }
        }),
      )
      return { accounts, totalUsdt: usdtText(total) }
    },
  )

  app.post(
    '/firms/:id/moves',
    {
      config,
      schema: {
        ...{
          tags,
          summary: 'Move coins between the spot accounts of two accounts of the firm',
          params: schema.byFirm,
          querystring: nothing,
        },
        ...{ body: schema.move, response: answers(noContent, 204) },
      },
    },
    async (request, reply) => {
      const { clientId, asset, amount, ...ends } = request.body
      const person = personOf(request)
      const move = await desk.accounts.move(request.params.id, ends, person)
      const coin = context.listing.assetNamed(asset)
      const command = moveCommand(move, clientId, coin.id, readAmount(coin, amount, 'amount'))
      const outcome = await execute(context, move.from.user, command)
      context.freshness.wrote(move.to.user, outcome.seq)
      if (!outcome.isRepeat || outcome.isResent === true) await desk.accounts.moved(move, coin.symbol, amount, person, outcome)
      return reply.code(204).send()
    },
  )
}

function memberRoutes(app: App, { desk: { reading, members }, personOf }: Parts): void {
  app.post(
    '/firms/:id/members',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Invite somebody as a viewer or trader; roles that approve need a request', params: schema.byFirm },
        ...{ querystring: nothing, body: schema.newMember, response: answers(schema.firm, 201) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      await members.invite(id, request.body, personOf(request))
      return reply.code(201).send(await reading.firm(id, request.session.account))
    },
  )

  app.patch(
    '/firms/:id/members/:member',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Change a member’s name, accounts, or role among those that do not approve', params: schema.byMember },
        ...{ querystring: nothing, body: schema.memberChange, response: answers(schema.firm) },
      },
    },
    async (request) => {
      const { id, member } = request.params
      await members.change(id, member, request.body, personOf(request))
      return reading.firm(id, request.session.account)
    },
  )

  app.delete(
    '/firms/:id/members/:member',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'End a member or an invitation, or leave the firm' },
        ...{ params: schema.byMember, querystring: nothing, response: answers(noContent, 204) },
      },
    },
    async (request, reply) => {
      await members.end(request.params.id, request.params.member, personOf(request))
      return reply.code(204).send()
    },
  )
}

function answerRoutes(app: App, { desk: { reading, members }, personOf }: Parts): void {
  app.post(
    '/firms/:id/accept',
    {
      config: locking,
      schema: { tags, summary: 'Accept an invitation', params: schema.byFirm, querystring: nothing, response: answers(schema.firm) },
    },
    async (request) => {
      await members.accept(request.params.id, personOf(request))
      return reading.firm(request.params.id, request.session.account)
    },
  )

  app.post(
    '/firms/:id/decline',
    {
      config: locking,
      schema: { tags, summary: 'Decline an invitation', params: schema.byFirm, querystring: nothing, response: answers(noContent, 204) },
    },
    async (request, reply) => {
      await members.decline(request.params.id, personOf(request))
      return reply.code(204).send()
    },
  )
}

function logRoutes(app: App, { desk, context }: Parts): void {
  const history = new FirmHistory(context.pool, (market) => context.listing.marketIfAny(market)?.wire.symbol)
  const params = schema.byFirm
  app.get(
    '/firms/:id/log',
    {
      config: { auth: 'session', weight: () => 5 },
      schema: { tags, summary: 'What was done in the firm, newest first', params, querystring: schema.page, response: answers(schema.log) },
    },
    async ({ params: { id }, query: { before, limit = pageDefault }, session }) => {
      await membershipOf(desk.db, id, session.account, 'manage')
      return history.page(id, { before, limit })
    },
  )

  app.get(
    '/firms/:id/log/file',
    {
      config: { auth: 'session', weight: () => 50 },
      schema: {
        ...{ tags, summary: `The newest ${fileMax} entries of the log as CSV`, params, querystring: nothing },
        response: answers(schema.csv),
      },
    },
    async ({ params: { id }, session }, reply) => {
      await membershipOf(desk.db, id, session.account, 'manage')
      const { items } = await history.page(id, { limit: fileMax })
      const rows = items.map(({ at, action, who, account, detail, device, ip }) => ({
        ...{ time: new Date(at).toISOString(), action, who, account, detail, device, ip },
      }))
      reply.header('content-type', 'text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="log.csv"')
      return reply.send(csvOf(columns, rows))
    },
  )
}
