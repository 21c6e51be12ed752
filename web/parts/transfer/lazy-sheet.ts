import { lazy } from 'react'
import { loadArea } from '../../app/texts.ts'

/** Moves money between the person's own accounts without leaving the screen. Code and texts come when it first opens. */
export const TransferSheet = lazy(async () => {
  const [sheet] = await Promise.all([import('./sheet.tsx'), loadArea('accounts'), loadArea('margin')])
  return { default: sheet.TransferSheet }
})
