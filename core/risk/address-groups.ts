/** How addresses are shown. Screens that only show them need no code that checks them. */

/** The address in groups of four characters, by which people compare it. The `0x` of an EVM address stands with the first group. */
export function groupsOf(address: string): readonly string[] {
  const text = withoutPrefix(address)
  const groups = text.match(/.{1,4}/g) ?? []
  return groups.map((group, at) => (at === 0 ? address.slice(0, address.length - text.length) + group : group))
}

/** The address without the `0x` of EVM addresses. */
export function withoutPrefix(address: string): string {
  return address.startsWith('0x') ? address.slice(2) : address
}
