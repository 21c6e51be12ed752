import { type WebhookKind, webhookKinds } from '@candor/core/protocol/wire/webhooks.ts'
import { Refused } from '../refused.ts'
import { type AddressRules, isLoopbackAddress, literalOf, mayConnect } from './address.ts'

export const webhooksMax = 10
/** How many an account may make in a day, those included that it deleted again. */
export const webhooksPerDay = 100
export const urlMax = 500
/** How many trials an hour, for each webhook. */
export const testsPerHour = 60
/** How many challenges an hour, for all webhooks of an account together. */
export const challengesPerHour = 20
/** What is sent is also signed with the secret before for so long, so that a receiver can change over. */
export const oldSecretMs = 86_400_000
/** Deliveries are kept for so long, and can be sent again. */
export const keptMs = 30 * 86_400_000

const portMin = 1_024

/**
 * The one form of an address that is stored: https, no user name, a port that web servers have. What its name resolves to
 * is looked at whenever it is called.
 *
 * throws  Refused WEBHOOK_URL_REFUSED
 */
export function normalUrl(text: string, rules: AddressRules): string {
  const url = URL.parse(text.trim())
  const refused = new Refused('WEBHOOK_URL_REFUSED', { field: 'url' })
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
 * The kinds of a webhook as they are stored: each with the place of the journal after which it counts. One that stays
 * keeps its place.
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
