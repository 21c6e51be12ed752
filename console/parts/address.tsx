/** An address of a network, in groups of four characters, whose first and last ones stand out. */
import { groupsOf } from '@candor/core/risk/addresses.ts'
import type { ReactNode } from 'react'

export function Address({ of }: { readonly of: string }): ReactNode {
  const groups = groupsOf(of)
  return (
    <span className="address tn" aria-label={of} role="img">
      {groups.map((group, at) => (
        <span key={at} data-end={at === 0 || at === groups.length - 1 ? '' : undefined}>
          {group}
        </span>
      ))}
    </span>
  )
}
