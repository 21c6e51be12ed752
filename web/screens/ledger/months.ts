/** `from`, `to`: the first and the last moment of the month, in milliseconds. */
export type Month<Item> = { readonly from: number; readonly to: number; readonly title: string; readonly items: readonly Item[] }

/** Groups items, newest first, by month of the device's calendar. */
export function byMonth<Item>(items: readonly Item[], timeOf: (item: Item) => number, tag: string): readonly Month<Item>[] {
  const format = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric' })
  const months: { from: number; to: number; title: string; items: Item[] }[] = []
  for (const item of items) {
    const time = timeOf(item)
    const latest = months.at(-1)
    if (latest !== undefined && time >= latest.from && time <= latest.to) latest.items.push(item)
    else months.push({ ...monthOf(time), title: format.format(time), items: [item] })
  }
  return months
}

/** The month of the device's calendar that a moment is in. */
export function monthOf(time: number): { readonly from: number; readonly to: number } {
  const date = new Date(time)
  const startOf = (month: number): number => new Date(date.getFullYear(), month, 1).getTime()
  return { from: startOf(date.getMonth()), to: startOf(date.getMonth() + 1) - 1 }
}
