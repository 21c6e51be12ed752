/** The sheets of the desk, loaded when the first one opens or when idle, so that the first load has none. */
import { loadFurther } from '../../app/routes.ts'
import { laterSheet, laterSheets } from '../../parts/ui/later.tsx'

export async function loadSheets() {
  const [sheets] = await Promise.all([import('./sheets.ts'), loadFurther('/Second')])
  return sheets
}

export const OptionSheet = laterSheet(() => loadSheets().then((sheets) => sheets.OptionSheet))
export const AdmitSheet = laterSheet(() => loadSheets().then((sheets) => sheets.AdmitSheet))
export const ConfirmOption = laterSheets(
  () => loadSheets().then((sheets) => sheets.ConfirmOption),
  ({ desk }) => ({ isOpen: desk.confirming !== undefined, onClose: desk.cancel }),
)
export const PairsSheet = laterSheet(() => loadSheets().then((sheets) => sheets.PairsSheet))
export const LimitsSheet = laterSheet(() => loadSheets().then((sheets) => sheets.LimitsSheet))
export const ResultSheet = laterSheet(() => loadSheets().then((sheets) => sheets.ResultSheet))
export const RulesSheet = laterSheet(() => loadSheets().then((sheets) => sheets.RulesSheet))
export const StakeSheet = laterSheet(() => loadSheets().then((sheets) => sheets.StakeSheet))
