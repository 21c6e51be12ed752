import type { WirePapersDraft } from '@candor/core/protocol/wire/papers.ts'

/** What a customer of the demonstration is for. */
export const demoStates = ['new', 'draft', 'waiting', 'rejected', 'certified', 'trading', 'frozen'] as const
export type DemoState = (typeof demoStates)[number]

export type DemoPerson = {
  readonly email: string
  readonly state: DemoState
  readonly document: Required<WirePapersDraft>
}

/** In their order, again and again: five of twelve wait for a review, because the queue is what a new operator learns first. */
const states: readonly DemoState[] = [
  'waiting',
  'trading',
  'waiting',
  'new',
  'waiting',
  'rejected',
  'waiting',
  'trading',
  'draft',
  'certified',
  'waiting',
  'frozen',
]

const names = [
  ...['AMELIE ROUSSEAU', 'CHAN TAI MAN', 'JORDI PUIG SERRA', 'ERIKA MUSTERMANN', 'LUCA BIANCHI', 'MARIA DA SILVA'],
  ...['NORA LINDQVIST', 'OMAR HADDAD', 'PIA WAGNER', 'QUENTIN MARCHAND', 'ROSA FERRARI', 'SOFIA ALMEIDA', 'TOM BAKER'],
] as const
const countries = ['FR', 'HK', 'ES', 'DE', 'IT', 'PT', 'SE', 'LB', 'AT', 'FR', 'IT', 'PT', 'GB'] as const
const kinds = ['id-card', 'passport', 'driving-licence'] as const
/** Each of these has the document of the one two places before: one document, two accounts. */
const copyEvery = 20

/** The customer of a number, from 0; the same one each time. */
export function demoPerson(index: number): DemoPerson {
  const name = names[index % names.length]!
  const original = index % copyEvery === copyEvery - 2 ? index - 2 : index
  return {
    email: `${name.toLowerCase().replaceAll(' ', '.')}.${index + 1}@demo.example`,
    state: states[index % states.length]!,
    document: {
      kind: kinds[original % kinds.length]!,
      country: countries[original % names.length]!,
      name: names[original % names.length]!,
      born: `${1960 + ((original * 7) % 40)}-0${1 + (original % 9)}-1${original % 10}`,
      number: `DEMO${String(10_000 + original * 37)}`,
    },
  }
}
