import { loadArea } from '../../app/texts.ts'
import { laterSheet } from '../ui/later.tsx'

/** Transfers between the user's accounts without leaving the screen. Code and texts are loaded when it first opens. */
export const TransferSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./sheet.tsx'), loadArea('accounts'), loadArea('margin')])
  return sheet.TransferSheet
})
