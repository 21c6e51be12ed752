import type { Units } from '@candor/core/money/brand.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { UserId, WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import type { WireWithdrawalWish, WireWithdrawStanding } from '@candor/core/protocol/wire/chains.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { coinOf } from '../../chains/desk/coins.ts'
import type { AskedWithdrawal, WithdrawDesk } from '../../chains/desk/withdraw-desk.ts'
import { askedOfEngine } from '../../http/limits.ts'
import { answers, noContent, nothing } from '../../http/schema.ts'
import type { Person } from '../../identity/factors/factors.ts'
import { type Context, execute } from '../../live/context.ts'
import { amountText, readAmount } from '../../live/listing.ts'
import { Refused } from '../../refused.ts'
import { decodeCursor } from '../../store/query/page.ts'
import type { App } from '../app.ts'
import { type Cookies, visitorOf } from '../user/cookies.ts'
import { assetNamed, type ChainsDoor, sumsOf, withdrawDesk, type WithdrawRooms } from './desks.ts'
import * as schema from './schema.ts'

const tags = ['withdrawals']
const reading = { auth: 'session', weight: askedOfEngine.light } as const
/** The payment password can be guessed here, and the account's row is locked. */
const asking = { auth: 'session', isAuth: true, isLocking: true } as const
/** Wishes without a number are looked for this often. */
const mendEveryMs = 60_000

/** Withdrawals of a customer. */
export function withdrawRoutes(app: App, context: Context, door: ChainsDoor, rooms: WithdrawRooms, cookies: Cookies): void {
  const desk = withdrawDesk(context, door, rooms)
  readRoutes(app, context, desk)
  askRoutes(app, context, { door, desk, cookies })
  if (desk !== undefined) mendNowAndThen(app, desk, door.onFault)
}

function readRoutes(app: App, context: Context, desk: WithdrawDesk | undefined): void {
  app.get(
    '/withdrawals/standing',
    {
      config: reading,
      schema: {
        ...{ tags, summary: 'The limits on the customer’s withdrawals now', querystring: nothing },
        response: answers(schema.withdrawStanding),
      },
    },
    async (request): Promise<WireWithdrawStanding> => {
      const [{ today, unfinal, debts }, isKeyNeeded] = await Promise.all([
        context.ask.chainStanding(request.session.user as UserId),
        desk?.isKeyNeeded(request.session.account) ?? false,
      ])
      const usdt = context.listing.assetNamed('USDT')
      return {
        today: { limit: amountText(usdt, today.limit), used: amountText(usdt, today.used) },
        ...{ unfinal: sumsOf(context, unfinal), debts: sumsOf(context, debts), isKeyNeeded },
      }
    },
  )

  app.get(
    '/withdrawals',
    {
      config: { auth: 'session' },
      schema: {
        ...{ tags, summary: 'The customer’s withdrawals, newest first' },
        ...{ querystring: schema.withdrawalPage, response: answers(schema.withdrawals) },
      },
    },
    async (request) => {
      if (request.query.asset !== undefined) context.listing.assetNamed(request.query.asset)
      decodeCursor(request.query.before, 1)
      if (desk === undefined) return { items: [] }
      await context.freshness.settled(request.session.user as UserId)
      const { from: since, to: until, ...page } = request.query
      return desk.list(request.session, { ...page, since, until })
    },
  )
}

type Parts = { readonly door: ChainsDoor; readonly desk: WithdrawDesk | undefined; readonly cookies: Cookies }

function askRoutes(app: App, context: Context, { door, desk, cookies }: Parts): void {
  const personOf = (request: FastifyRequest): Person => {
    const { origin } = request.headers
    return { session: request.session, visitor: visitorOf(request, cookies), ...(origin === undefined ? {} : { origin }) }
  }
  const open = (): WithdrawDesk => {
    if (desk === undefined) throw new Refused('WITHDRAWALS_CLOSED')
    return desk
  }
  app.post(
    '/withdrawals/prepare',
    {
      config: reading,
      schema: {
        ...{ tags, summary: 'Check a withdrawal, and learn what a passkey must sign for it; moves nothing', querystring: nothing },
        ...{ body: schema.withdrawalWish, response: answers(schema.preparedWithdrawal) },
      },
    },
    (request) => open().prepare(askedOf(context, door, request.body), personOf(request)),
  )

  app.post(
    '/withdrawals',
    {
      config: asking,
      schema: {
        ...{ tags, summary: 'Ask for a withdrawal, with the payment password and a proof or a passkey', querystring: nothing },
        ...{ body: schema.newWithdrawal, response: answers(z.strictObject({ id: z.string() }), 201) },
      },
    },
    async (request, reply) => {
      const { paymentPassword, passkey } = request.body
      const made = await open().request(askedOf(context, door, request.body), { paymentPassword, passkey }, personOf(request))
      return reply.code(201).send(made)
    },
  )

  app.delete(
    '/withdrawals/:id',
    {
      config: { auth: 'session' },
      schema: {
        ...{ tags, summary: 'Take back a withdrawal that is not decided', params: schema.withdrawalId, querystring: nothing },
        response: answers(noContent, 204),
      },
    },
    async (request, reply) => {
      const user = request.session.user as UserId
      await execute(context, user, { type: 'withdraw.cancel', user, withdrawal: Number(request.params.id) as WithdrawalNumber })
      return reply.code(204).send()
    },
  )
}

/** What a body asks for. throws  Refused NETWORK_UNKNOWN, ASSET_UNKNOWN, and those of amounts */
export function askedOf(context: Context, { config }: Pick<ChainsDoor, 'config'>, body: WireWithdrawalWish): AskedWithdrawal {
  const coin = coinOf(config, (symbol) => assetNamed(context, symbol), body.network, body.asset)
  return {
    ...{ clientId: body.clientId, coin, address: body.address },
    amount: readAmount(coin.asset, body.amount, 'amount'),
    fee: readFee(coin.asset.scale, body.fee),
  }
}

/** A fee may be nothing. throws  Refused FIELD_INVALID */
function readFee(scale: number, text: string): Units {
  const units = parseUnits(text, scale)
  if (units === undefined) throw new Refused('FIELD_INVALID', { field: 'fee' })
  return units
}

function mendNowAndThen(app: App, desk: WithdrawDesk, onFault: (cause: unknown) => void): void {
  const mend = (): void => void desk.mend().catch(onFault)
  mend()
  const timer = setInterval(mend, mendEveryMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
