import type { Translate } from '../../app/translate.ts'

/** The two largest units of a duration: "3 d 4 h", "12 min 5 s". */
export function holdingTime(ms: number, t: Translate): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const parts = [
    ['days', Math.floor(seconds / 86_400)],
    ['hoursShort', Math.floor(seconds / 3_600) % 24],
    ['minutes', Math.floor(seconds / 60) % 60],
    ['seconds', seconds % 60],
  ] as const
  const first = parts.findIndex(([, value]) => value > 0)
  if (first < 0) return t('closed.time.seconds', { value: 0 })
  return parts
    .slice(first, first + 2)
    .filter(([, value], at) => at === 0 || value > 0)
    .map(([unit, value]) => t(`closed.time.${unit}`, { value }))
    .join(' ')
}
