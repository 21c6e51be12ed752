import type { WorkKind } from '@candor/core/protocol/wire/console/overview.ts'

type WorkText = { readonly title: string; readonly text: string; readonly action: string }

const work: Readonly<Record<WorkKind, WorkText>> = {
  papers: { title: 'Identity', text: 'Documents of customers', action: 'Review next' },
  recoveries: { title: 'Lost factors', text: 'Access without the second factors', action: 'Compare' },
  revocations: { title: 'Revocations', text: 'Certificates to revoke', action: 'Decide' },
  lifts: { title: 'Frozen accounts', text: 'Openings that need a second signature', action: 'Decide' },
  operations: { title: 'Decisions', text: 'Terms of markets, fees, countries, Second', action: 'Decide' },
  proposals: { title: 'Second signatures', text: 'Proposals about members of the staff', action: 'Decide' },
}

/** Texts of the first page. */
export const overview = {
  title: 'Overview',
  oldest: (age: string) => `oldest waits ${age}`,
  target: (age: string) => `target ${age}`,
  none: 'nothing waits',
  open: 'Open',
  work,
}
