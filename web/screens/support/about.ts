import {
  aboutIdPattern,
  type AboutKind,
  aboutKinds,
  type SupportTopic,
  type WireAbout,
} from '@candor/core/protocol/wire/support/tickets.ts'

const topics: Readonly<Record<AboutKind, SupportTopic>> = {
  ...{ withdrawal: 'withdrawal', deposit: 'deposit', record: 'other', order: 'trading', conversion: 'trading', code: 'other' },
}

/** The record that the address names, if it is one, and the topic to which it belongs. */
export function aboutOf(text: string | null): { readonly about: WireAbout; readonly topic: SupportTopic } | undefined {
  const [kind, ...rest] = (text ?? '').split(':')
  const known = aboutKinds.find((one) => one === kind)
  const id = rest.join(':')
  return known === undefined || !aboutIdPattern.test(id) ? undefined : { about: { kind: known, id }, topic: topics[known] }
}
