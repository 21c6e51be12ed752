import { loadArea } from '../../app/texts.ts'
import { laterSheet } from '../ui/later.tsx'

/** The sheet with an explanation, loaded with its texts when somebody asks for one. Shown in a `Suspense`. */
export const ExplainSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./explain-sheet.tsx'), loadArea('explain')])
  return sheet.ExplainSheet
})
