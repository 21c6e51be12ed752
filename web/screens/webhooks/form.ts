import type { WebhookKind, WireNewWebhook } from '@candor/core/protocol/wire/webhooks.ts'

export type Draft = { readonly url: string; readonly kinds: readonly WebhookKind[]; readonly password: string }
export const emptyDraft: Draft = { url: '', kinds: ['spot.fill', 'margin.fill', 'perp.fill'], password: '' }

/** The fields of a draft with errors; empty if it can be sent. The exchange decides which addresses it accepts. */
export function problemsOf({ url, kinds, password }: Draft, hasLoopback: boolean): ReadonlySet<keyof Draft> {
  const problems = new Set<keyof Draft>()
  const protocol = URL.parse(url.trim())?.protocol
  if (protocol !== 'https:' && !(hasLoopback && protocol === 'http:')) problems.add('url')
  if (kinds.length === 0) problems.add('kinds')
  if (password === '') problems.add('password')
  return problems
}

export function requestOf({ url, kinds, password }: Draft): WireNewWebhook {
  return { url: url.trim(), kinds, password }
}

/** The kinds with one added or removed. */
export function toggled(kinds: readonly WebhookKind[], kind: WebhookKind, isOn: boolean): readonly WebhookKind[] {
  return isOn ? [...kinds.filter((one) => one !== kind), kind] : kinds.filter((one) => one !== kind)
}
