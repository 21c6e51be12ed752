import type { State } from '../state/state.ts'

/** What is wrong with the firms: each account has a main account that is one. */
export function firmViolations({ firm }: State): readonly string[] {
  const wrong: string[] = []
  for (const [user, main] of firm.mains)
    if (firm.mains.get(main) !== main) wrong.push(`account ${user} belongs to ${main}, which is no main account`)
  for (const main of firm.terms.keys())
    if (firm.mains.get(main) !== main) wrong.push(`${main} has the terms of a firm and is no main account`)
  return wrong
}
