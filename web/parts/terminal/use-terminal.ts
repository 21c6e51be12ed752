/** The layout of the terminal: kept with the account, and on the device for visitors and without a connection. */
import { type Terminal, type TerminalLayout, terminalNamedMax } from '@candor/core/protocol/wire/own/preferences.ts'
import { useCallback } from 'react'
import { type PreferenceRules, usePreference } from '../../app/preferences/preferences.ts'
import { usualTerminal } from './arrange.ts'

/** At login the account's own layout applies, if it has one; layouts that the visitor saved come along. */
export const terminalRules: PreferenceRules<'terminal'> = {
  fallback: { layout: usualTerminal, named: [] },
  merged: (own, visitors) =>
    own === undefined
      ? visitors
      : {
          ...own,
          named: [...own.named, ...visitors.named.filter(({ name }) => !own.named.some((one) => one.name === name))].slice(
            0,
            terminalNamedMax,
          ),
        },
}

export type TerminalState = Terminal & {
  readonly setLayout: (next: (layout: TerminalLayout) => TerminalLayout) => void
  /** Saves the shown layout under a name; a layout of that name is replaced. */
  readonly save: (name: string) => void
  readonly remove: (name: string) => void
}

export function useTerminal(): TerminalState {
  const [terminal, change] = usePreference('terminal', terminalRules)
  const setLayout = useCallback(
    (next: (layout: TerminalLayout) => TerminalLayout) => void change((now) => ({ ...now, layout: next(now.layout) })),
    [change],
  )
  return {
    ...terminal,
    setLayout,
    save: (name) =>
      void change((now) => ({
        ...now,
        named: [...now.named.filter((one) => one.name !== name), { name, layout: now.layout }].slice(-terminalNamedMax),
      })),
    remove: (name) => void change((now) => ({ ...now, named: now.named.filter((one) => one.name !== name) })),
  }
}
