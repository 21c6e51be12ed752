import { lazy } from 'react'
import { loadArea } from '../../app/texts.ts'

/** Transfers between the user's accounts without leaving the screen. Code and texts are loaded when it first opens. */
export const TransferSheet = lazy(async () => {
  const [sheet] = await Promise.all([import('./sheet.tsx'), loadArea('accounts'), loadArea('margin')])
  return { default: sheet.TransferSheet }
})
