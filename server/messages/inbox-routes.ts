import { locales } from '@candor/core/protocol/locales.ts'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { inboxPage, inboxPolicy } from './inbox-page.ts'
import type { Inbox } from './inbox.ts'
import { textsOf } from './render.ts'

/**
 * GET /inbox, a page for people (`?to=` one recipient, `?lang=`), and GET /inbox.json, the same for programs. They must be
 * registered in sandbox mode only: everybody who can reach them can read every code.
 */
export function inboxRoutes(inbox: Inbox): FastifyPluginAsync {
  return async (app) => {
    const hidden = { schema: { hide: true } as object }
    app.get('/inbox.json', hidden, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { messages: await inbox.list(recipientOf(request) || undefined) }
    })
    app.get('/inbox', hidden, async (request, reply) => {
      const to = recipientOf(request)
      const lang = textOf(request, 'lang')
      const texts = textsOf(lang === '' ? preferredLanguage(request.headers['accept-language'] ?? '') : lang)
      const messages = await inbox.list(to || undefined)
      return reply
        .header('content-security-policy', inboxPolicy)
        .header('cache-control', 'no-store')
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer')
        .type('text/html; charset=utf-8')
        .send(inboxPage(texts, messages, to, lang))
    })
  }
}

/** In a query a plus sign is read as a space: restores the plus of a phone number. */
function recipientOf(request: FastifyRequest): string {
  const to = textOf(request, 'to').trim()
  return /^[0-9]{7,15}$/.test(to) ? `+${to}` : to
}

function textOf(request: FastifyRequest, name: string): string {
  const value = (request.query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value.slice(0, 254).replaceAll('\0', '') : ''
}

/** The first of the browser's languages that has texts. */
export function preferredLanguage(header: string): string {
  for (const part of header.split(',')) {
    const asked = part.split(';', 1)[0]?.trim().split('-', 1)[0]?.toLowerCase() ?? ''
    const found = locales.find(({ tag }) => tag.split('-', 1)[0] === asked)
    if (found !== undefined) return found.code
  }
  return 'en'
}
