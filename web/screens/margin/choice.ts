/** The user's choices on margin accounts, stored on this device: cross or isolated for each pair, and how orders use loans. */
import type { BorrowMode } from '@candor/core/protocol/command/margin.ts'
import { useState } from 'react'
import type { MarginMode } from '../../parts/margin/data.ts'

type Kept = { readonly isolated: readonly string[]; readonly borrows: boolean; readonly repays: boolean }

export type Choice = {
  readonly mode: MarginMode
  readonly borrows: boolean
  readonly repays: boolean
  readonly set: (change: { readonly mode?: MarginMode; readonly borrows?: boolean; readonly repays?: boolean }) => void
}

export function useChoice(symbol: string): Choice {
  const [kept, setKept] = useState(read)
  return {
    mode: kept.isolated.includes(symbol) ? 'isolated' : 'cross',
    borrows: kept.borrows,
    repays: kept.repays,
    set({ mode, ...switches }) {
      const others = kept.isolated.filter((one) => one !== symbol)
      const isolated = mode === undefined ? kept.isolated : mode === 'isolated' ? [...others, symbol] : others
      const next = { ...kept, ...switches, isolated }
      setKept(next)
      try {
        localStorage.setItem('lever', JSON.stringify(next))
      } catch {}
    },
  }
}

export function borrowModeOf({ borrows, repays }: Pick<Choice, 'borrows' | 'repays'>): BorrowMode {
  return borrows ? (repays ? 'both' : 'borrow') : repays ? 'repay' : 'none'
}

function read(): Kept {
  const initial = { isolated: [], borrows: false, repays: false }
  try {
    const kept = JSON.parse(localStorage.getItem('lever') ?? '{}') as Partial<Kept>
    return { ...initial, ...kept, isolated: Array.isArray(kept.isolated) ? kept.isolated : [] }
  } catch {
    return initial
  }
}
