import { type WebhookKind, webhookKinds } from '@candor/core/protocol/wire/webhooks.ts'
import { Refused } from '../refused.ts'
import { type AddressRules, isLoopbackAddress, literalOf, mayConnect } from './address.ts'

export const webhooksMax = 10
/** Webhooks that an account may create per day, deleted ones included. */
export const webhooksPerDay = 100
export const urlMax = 500
/** Test deliveries per hour and webhook. */
export const testsPerHour = 60
/** Challenges per hour for all webhooks of an account together. */
export const challengesPerHour = 20
/** How long deliveries are also signed with the previous secret, so that a receiver can change over. */
export const oldSecretMs = 86_400_000
/** How long deliveries are kept and can be sent again. */
export const keptMs = 30 * 86_400_000

const portMin = 1_024

/**
 * The one stored form of a URL: https, no user name, an allowed port. The address it resolves to is checked at every call.
 *
 * throws  `refused` for any other URL
 */
export function normalUrl(text: string, rules: AddressRules, refused = new Refused('WEBHOOK_URL_REFUSED', { field: 'url' })): string {
  const url = URL.parse(text.trim())
  if (url === null || text.length > urlMax || url.username !== '' || url.password !== '') throw refused
  url.hash = ''
  const literal = literalOf(url)
  const isHere = url.hostname === 'localhost' || (literal !== undefined && isLoopbackAddress(literal))
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.hasLoopback && isHere)) throw refused
  if (literal !== undefined && !mayConnect(url.protocol, literal, rules)) throw refused
  if (!rules.hasLoopback && (isHere || url.hostname.endsWith('.localhost'))) throw refused
  if (url.port !== '' && Number(url.port) < portMin && !(isHere && rules.hasLoopback)) throw refused
  return url.href
}

/**
 * The stored kinds of a webhook: each with the position in the journal after which its events count. A kind that the webhook
 * already had keeps its position.
 *
 * throws  Refused FIELD_INVALID when none is named
 */
export function kindsFrom(
  kinds: readonly WebhookKind[],
  before: Readonly<Partial<Record<WebhookKind, number>>>,
  head: number,
): Readonly<Partial<Record<WebhookKind, number>>> {
  const named = webhookKinds.filter((kind) => kinds.includes(kind))
  if (named.length === 0) throw new Refused('FIELD_INVALID', { field: 'kinds' })
  return Object.fromEntries(named.map((kind) => [kind, before[kind] ?? head]))
}
