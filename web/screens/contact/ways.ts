/** A screen of the app, or an address outside of it. */
export type Way =
  | { readonly kind: 'desk'; readonly to: string }
  | { readonly kind: 'outside'; readonly href: string; readonly text: string }

const desk = '/support'

/**
 * The ways to customer service, best first: the app's own desk, if there is one among its paths, and the operator's address.
 *
 * support  a mail address or an https page; anything else is shown nowhere as a link
 */
export function waysOf(paths: readonly string[], support: string | undefined): readonly Way[] {
  const own: readonly Way[] = paths.includes(desk) ? [{ kind: 'desk', to: desk }] : []
  if (support === undefined) return own
  if (support.startsWith('https:')) return [...own, { kind: 'outside', href: support, text: support }]
  if (!/^[^\s:@]+@[^\s:@]+$/.test(support)) return own
  return [...own, { kind: 'outside', href: `mailto:${support}`, text: support }]
}
