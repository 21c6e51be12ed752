import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireReferral, WireReferralEarnings, WireReferralTerms } from '@candor/core/protocol/wire/referral/referral.ts'
import { z } from 'zod'
import { askedOfEngine } from '../../http/limits.ts'
import { answers, nothing } from '../../http/schema.ts'
import type { Identity } from '../../identity/identity.ts'
import type { Context } from '../../live/context.ts'
import { amountText } from '../../live/listing.ts'
import type { Session } from '../../ports.ts'
import { referralDays, referralFunnel, referralSums } from '../../store/query/referral.ts'
import type { App } from '../app.ts'
import * as schema from './schema.ts'

const tags = ['referral']
const config = { auth: 'session' } as const
const dayMs = 86_400_000
const daysUsual = 30
/** Digits of a share in percent behind the point, from parts in a million. */
const percentScale = 4

/** Invitations: the own code, what it has earned, and the terms. */
export function referralRoutes(app: App, context: Context, identity: Identity): void {
  openRoutes(app, context, identity)

  app.get(
    '/referral',
    {
      config: { ...config, weight: askedOfEngine.light },
      schema: {
        ...{ tags, summary: 'The customer as an inviter: code, tier, today’s commission, and how many came', querystring: nothing },
        response: answers(schema.referral),
      },
    },
    (request) => referralOf(context, identity, request.session),
  )

  app.get(
    '/referral/earnings',
    {
      config,
      schema: {
        ...{ tags, summary: 'The customer’s commission by UTC day and by asset, in USDT when it was paid' },
        ...{ querystring: schema.earningDays, response: answers(schema.earnings) },
      },
    },
    (request) => earningsOf(context, request.session.user as UserId, request.query.days ?? daysUsual),
  )
}

function openRoutes(app: App, context: Context, identity: Identity): void {
  app.get(
    '/referral/terms',
    {
      config: { weight: askedOfEngine.light },
      schema: { tags, summary: 'What inviters get', querystring: nothing, response: answers(schema.referralTerms) },
    },
    () => termsOf(context),
  )

  app.get(
    '/referral/landing',
    {
      // The stricter limits per address: nobody tries all codes.
      config: { isAuth: true },
      schema: {
        ...{ tags, summary: 'Whether an invitation code is valid, and the masked inviter' },
        ...{ querystring: z.strictObject({ code: z.string().regex(/^[A-Za-z0-9]{8}$/) }), response: answers(schema.landing) },
      },
    },
    async (request) => {
      const inviter = await identity.invitations.masked(request.query.code)
      return { isValid: inviter !== undefined, inviter: inviter ?? null }
    },
  )
}

async function termsOf({ ask, listing }: Context): Promise<WireReferralTerms> {
  const terms = await ask.referralTerms()
  const usdt = listing.assetNamed('USDT')
  return {
    isOpen: terms?.isOpen === true,
    tiers: (terms?.tiers ?? []).map(({ volumeMin, sharePpm }) => ({
      volumeMin: amountText(usdt, volumeMin),
      sharePercent: formatUnits(sharePpm, percentScale),
    })),
    secondPercent: formatUnits(terms?.secondPpm ?? 0, percentScale),
    days: terms?.days ?? 0,
    inviteeDayMax: formatUnits(terms?.inviteeDayMax ?? 0, usdt.scale),
    inviterDayMax: formatUnits(terms?.inviterDayMax ?? 0, usdt.scale),
  }
}

async function referralOf(
  { ask, listing, pool, freshness }: Context,
  identity: Identity,
  { account, user: number }: Session,
): Promise<WireReferral> {
  const user = number as UserId
  await freshness.settled(user)
  const [{ invitationCode }, { volume, tier, today, mayTakePart, inviter }, funnel] = await Promise.all([
    identity.profiles.get(account),
    ask.referralStanding(user),
    referralFunnel(pool, user),
  ])
  const usdt = listing.assetNamed('USDT')
  return {
    ...{ code: invitationCode, mayTakePart, tier, volume: amountText(usdt, volume) },
    invitedBy: inviter === 0 ? null : await identity.invitations.inviterOf(account),
    today: { limit: amountText(usdt, today.limit), used: amountText(usdt, today.used) },
    ...funnel,
  }
}

async function earningsOf({ listing, pool, freshness, now }: Context, user: UserId, count: number): Promise<WireReferralEarnings> {
  await freshness.settled(user)
  const today = now() - (now() % dayMs)
  const since = today - (count - 1) * dayMs
  const [found, sums] = await Promise.all([referralDays(pool, user, since), referralSums(pool, user)])
  const byDay = new Map(found.map((row) => [row.day, row]))
  const { scale } = listing.assetNamed('USDT')
  const plain = (text: string, digits = scale): string => formatUnits(parseUnits(text, digits)!, digits)
  const days = Array.from({ length: count }, (_, n) => since + n * dayMs).map((day) => {
    const { first, second } = byDay.get(day) ?? { first: '0', second: '0' }
    return { day, first: plain(first), second: plain(second) }
  })
  const assets = sums.map(({ asset, amount, value }) => ({
    asset,
    amount: plain(amount, listing.assetNamed(asset).scale),
    value: plain(value),
  }))
  const total = assets.reduce((sum, { value }) => sum + BigInt(parseUnits(value, scale)!), 0n)
  return { days, assets, total: formatUnits(total, scale) }
}
