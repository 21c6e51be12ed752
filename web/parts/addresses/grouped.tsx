import { groupsOf } from '@candor/core/risk/address-groups.ts'

/**
 * An address in groups of four characters. Selecting it copies it whole. `unlike`: another address; the groups in which the two differ
 * are marked.
 */
export function GroupedAddress({ address, unlike, className = '' }: Props) {
  const others = unlike === undefined ? undefined : groupsOf(unlike)
  return (
    <code translate="no" className={`flex flex-wrap gap-x-1.5 gap-y-1 font-mono break-all select-all ${className}`}>
      {groupsOf(address).map((group, at) => (
        // Groups of an address never move.
        <span
          key={`${at}-${group}`}
          className={
            others === undefined || sameGroup(group, others[at]) ? '' : 'rounded-sm bg-warntint font-semibold underline underline-offset-4'
          }
        >
          {group}
        </span>
      ))}
    </code>
  )
}

type Props = { readonly address: string; readonly unlike?: string | undefined; readonly className?: string }

/** Capitals are only the checksum of addresses that begin with 0x. */
function sameGroup(group: string, other: string | undefined): boolean {
  return group.toLowerCase() === other?.toLowerCase()
}
