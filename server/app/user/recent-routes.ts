import type { WireRecentAccess, WireRevoked } from '@candor/core/protocol/wire/user.ts'
import { z } from 'zod'
import type { Identity } from '../../identity/identity.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'
import type { App } from '../app.ts'
import { answers, millis, nothing } from '../../http/schema.ts'
import { type Cookies, visitorOf } from './cookies.ts'

const monthMs = 30 * 86_400_000
const tags = ['auth']
const config = { auth: 'session' } as const

export const recentAccess = z
  .strictObject({
    resetAt: millis.exactOptional(),
    keys: z.array(z.strictObject({ id: z.string(), label: z.string(), createdAt: millis })).readonly(),
    webhooks: z.array(z.strictObject({ id: z.string(), url: z.string(), createdAt: millis })).readonly(),
  })
  .meta({ id: 'RecentAccess' }) satisfies z.ZodType<WireRecentAccess>

export const revoked = z.strictObject({ keys: z.int(), webhooks: z.int() }).meta({ id: 'Revoked' }) satisfies z.ZodType<WireRevoked>

/** After a password reset: access that still works without the password, and a way to end all of it at once. */
export function recentRoutes(app: App, identity: Identity, webhooks: Webhooks, cookies: Cookies): void {
  const made = async (account: string): Promise<WireRecentAccess> => {
    const resetAt = await identity.profiles.lastReset(account, monthMs)
    if (resetAt === undefined) return { keys: [], webhooks: [] }
    const isRecent = ({ createdAt }: { readonly createdAt: number }): boolean => createdAt <= resetAt && createdAt > resetAt - monthMs
    const [ownKeys, ownWebhooks] = await Promise.all([identity.keys.list(account), webhooks.list(account)])
    return {
      resetAt,
      keys: ownKeys.keys.filter(isRecent).map(({ id, label, createdAt }) => ({ id, label, createdAt })),
      webhooks: ownWebhooks.webhooks.filter(isRecent).map(({ id, url, createdAt }) => ({ id, url, createdAt })),
    }
  }

  app.get(
    '/auth/recent',
    {
      config,
      schema: {
        tags,
        summary: 'Keys and webhooks created in the 30 days before a password reset',
        querystring: nothing,
        response: answers(recentAccess),
      },
    },
    (request) => made(request.session.account),
  )

  app.delete(
    '/auth/recent',
    {
      config,
      schema: {
        tags,
        summary: 'Delete the keys and webhooks created in the 30 days before a password reset',
        querystring: nothing,
        response: answers(revoked),
      },
    },
    async (request) => {
      const who = { account: request.session.account, session: request.session.id, visitor: visitorOf(request, cookies) }
      const found = await made(who.account)
      for (const { id } of found.keys) await identity.keys.delete(id, who)
      for (const { id } of found.webhooks) await webhooks.delete(id, who)
      return { keys: found.keys.length, webhooks: found.webhooks.length }
    },
  )
}
