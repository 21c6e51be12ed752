/** An address of a network, in groups of four characters, whose first and last ones stand out. */
import { groupsOf } from '@candor/core/risk/address-groups.ts'
import type { ReactNode } from 'react'

type AddressProps = {
  readonly of: string
  /** Another address: groups that differ from it are marked. */
  readonly unlike?: string
}

const groupChars = 4

export function Address({ of, unlike }: AddressProps): ReactNode {
  const groups = groupsOf(of)
  const others = unlike === undefined ? undefined : groupsOf(unlike)
  // The last group may be short. People compare the last four characters.
  const lastFrom = groups.length - ((groups.at(-1)?.length ?? 0) < groupChars ? 2 : 1)
  return (
    <span className="address tn" aria-label={of} role="img">
      {groups.map((group, at) => (
        <span
          key={at}
          data-end={at === 0 || at >= lastFrom ? '' : undefined}
          data-unlike={others !== undefined && others[at] !== group ? '' : undefined}
        >
          {group}
        </span>
      ))}
    </span>
  )
}
