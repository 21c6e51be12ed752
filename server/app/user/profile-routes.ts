import type { Units } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Due, WireMe } from '@candor/core/protocol/wire/user.ts'
import { z } from 'zod'
import { agreementVersion } from '../../identity/gates/agreement.ts'
import type { Identity } from '../../identity/identity.ts'
import type { Session } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { App } from '../app.ts'
import { type Context, execute } from '../../live/context.ts'
import { answers, nothing } from '../../http/schema.ts'
import { amountText } from '../../live/listing.ts'
import { type Cookies, visitorOf } from './cookies.ts'
import * as schema from './schema.ts'

const tags = ['me']
const config = { auth: 'session' } as const

/** The parts of the exchange that the user routes need. */
export type UserContext = Pick<Context, 'ask' | 'listing' | 'mode' | 'submit' | 'freshness' | 'now'>

export type MeOf = (session: Session) => Promise<WireMe>

export function meOf(identity: Identity, { ask, listing }: UserContext): MeOf {
  return async ({ account, user }) => {
    const [profile, isAgreementDue, { volume, tier, perp }, { turnover }] = await Promise.all([
      identity.profiles.get(account),
      identity.agreements.isDue(account),
      ask.tier(user as UserId),
      ask.standing(user as UserId),
    ])
    const due: Due[] = []
    if (isAgreementDue) due.push('agreement')
    if (profile.residence === null) due.push('residence')
    const inUsdt = (units: Units): string => amountText(listing.assetNamed('USDT'), units)
    const limited = turnover === null ? null : { limit: inUsdt(turnover.limit), used: inUsdt(turnover.used), open: inUsdt(turnover.open) }
    const tiers = { feeTier: tier, volume30d: inUsdt(volume), perpFeeTier: perp.tier, perpVolume30d: inUsdt(perp.volume) }
    return { ...profile, due, agreementVersion, ...tiers, turnover: limited }
  }
}

/** The user's own page: profile and language. */
export function profileRoutes(app: App, identity: Identity, cookies: Cookies, context: UserContext, me: MeOf): void {
  app.get(
    '/me',
    { config, schema: { tags, summary: 'The user’s account', querystring: nothing, response: answers(schema.me) } },
    async (request, reply) => {
      const answer = await me(request.session)
      // The app sends this request at its start, so here the cookie is extended and its token renewed.
      const token = request.sessionToken as string
      cookies.renew(reply, (await identity.sessions.rotate(token)) ?? token)
      return answer
    },
  )

  app.patch(
    '/me',
    {
      config,
      schema: {
        tags,
        summary: 'Set the user’s language',
        querystring: nothing,
        body: z.strictObject({ lang: schema.lang }),
        response: answers(schema.me),
      },
    },
    async (request) => {
      await identity.profiles.changeLang(request.session, request.body.lang, visitorOf(request, cookies))
      return me(request.session)
    },
  )

  app.post(
    '/sandbox/certify',
    {
      config,
      schema: {
        tags,
        summary: 'Verify the user’s identity without documents; sandbox only',
        querystring: nothing,
        response: answers(schema.me),
      },
    },
    async (request) => {
      if (context.mode !== 'sandbox') throw new Refused('SANDBOX_ONLY')
      const { account, user } = request.session
      const reason = await identity.invitations.sharedWith(user)
      if (reason !== undefined) await execute(context, user as UserId, { type: 'referral.sever', user: user as UserId, reason })
      await execute(context, user as UserId, { type: 'user.certify', user: user as UserId, isCertified: true })
      await identity.profiles.setCertified(account, visitorOf(request, cookies), request.session)
      return me(request.session)
    },
  )
}
