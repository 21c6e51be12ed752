/** The meaning of a margin level, in words and as a share. Levels are decimal texts, assets ÷ debt. */
import type { WireMarginAccount } from '@candor/core/protocol/wire/margin.ts'

export type LevelWord = 'none' | 'safe' | 'watch' | 'danger' | 'liquidating'

type Levels = Pick<WireMarginAccount, 'level' | 'state' | 'callLevel' | 'liquidationLevel'>

/** The word for a level: watch from the warning down, danger in the lower half between warning and liquidation. */
export function wordOf({ level, state, callLevel, liquidationLevel }: Levels): LevelWord {
  if (state === 'liquidating') return 'liquidating'
  if (level === null) return 'none'
  const [now, call, end] = [Number(level), Number(callLevel), Number(liquidationLevel)]
  if (now <= (call + end) / 2) return 'danger'
  return now <= call || state === 'watch' ? 'watch' : 'safe'
}

/** Percentage of the assets that can be lost before the account is liquidated: 1 − liquidation ÷ level, 0 to 100. */
export function mayLose({ level, liquidationLevel }: Levels): number {
  if (level === null || Number(level) <= 0) return level === null ? 100 : 0
  return Math.min(100, Math.max(0, (1 - Number(liquidationLevel) / Number(level)) * 100))
}
