const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A whole time in the largest unit that fits: "7 days", "24 hours", "1 minute". */
export function timeText(ms: number, tag: string): string {
  const [count, unit] =
    ms > day && ms % day === 0 ? [ms / day, 'day'] : ms >= hour ? [Math.ceil(ms / hour), 'hour'] : [Math.ceil(ms / minute), 'minute']
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
