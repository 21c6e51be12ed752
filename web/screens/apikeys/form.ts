import type { WireKeys, WireNewKey } from '@candor/core/protocol/wire/keys.ts'

/** Lifetimes of a new key, in days. */
export const lives = ['30', '90', '365', 'ever'] as const
export type Life = (typeof lives)[number]

export type Draft = {
  readonly label: string
  readonly canTrade: boolean
  readonly canWithdraw: boolean
  /** `public`: the customer gives the public half of a key. */
  readonly kind: 'hmac' | 'public'
  readonly publicKey: string
  /** The typed addresses, separated by commas, spaces or lines. */
  readonly ips: string
  readonly life: Life
  readonly password: string
}

export const emptyDraft: Draft = {
  ...{ label: '', canTrade: false, canWithdraw: false, kind: 'hmac', publicKey: '', ips: '', life: '90', password: '' },
}

/** The rules for keys, which the exchange sends with the list of keys. */
export type KeyRules = Pick<WireKeys, 'ipsMax' | 'needsIps' | 'expiryMaxMs'>

const dayMs = 86_400_000
export const addressShape = /^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9a-f:.]*:[0-9a-f:.]*)(\/[0-9]{1,3})?$/i

export function ipsOf(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((ip) => ip !== ''))]
}

/** The allowed lifetimes: a key without addresses has a maximum. */
export function livesFor(draft: Pick<Draft, 'ips'>, { expiryMaxMs }: KeyRules): readonly Life[] {
  if (expiryMaxMs === undefined || ipsOf(draft.ips).length > 0) return lives
  return lives.filter((life) => life !== 'ever' && Number(life) * dayMs <= expiryMaxMs)
}

/** The errors of a draft by field; empty if it can be sent. */
export function problemsOf(draft: Draft, rules: KeyRules): ReadonlyMap<keyof Draft, 'missing' | 'invalid' | 'needed' | 'many'> {
  const problems = new Map<keyof Draft, 'missing' | 'invalid' | 'needed' | 'many'>()
  const ips = ipsOf(draft.ips)
  if (draft.label.trim() === '') problems.set('label', 'missing')
  if (draft.kind === 'public' && !draft.publicKey.includes('-----BEGIN PUBLIC KEY-----')) problems.set('publicKey', 'invalid')
  if (!ips.every((ip) => addressShape.test(ip))) problems.set('ips', 'invalid')
  else if (ips.length > rules.ipsMax) problems.set('ips', 'many')
  else if (rules.needsIps && draft.canWithdraw && ips.length === 0) problems.set('ips', 'needed')
  if (draft.password === '') problems.set('password', 'missing')
  return problems
}

export function requestOf(draft: Draft, rules: KeyRules, now: number): WireNewKey {
  const allowed = livesFor(draft, rules)
  const life = allowed.includes(draft.life) ? draft.life : allowed.at(-1)
  return {
    label: draft.label.trim(),
    scopes: ['read', ...(draft.canTrade ? (['trade'] as const) : []), ...(draft.canWithdraw ? (['withdraw'] as const) : [])],
    ips: ipsOf(draft.ips),
    ...(life === undefined || life === 'ever' ? {} : { expiresAt: now + Number(life) * dayMs }),
    ...(draft.kind === 'public' ? { publicKey: draft.publicKey } : {}),
    password: draft.password,
  }
}
