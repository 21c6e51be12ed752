/** The sheets of the desk, loaded when the first one opens or when idle, so that the first load has none. */
import { lazy } from 'react'
import { loadFurther } from '../../app/routes.ts'

export async function loadSheets() {
  const [sheets] = await Promise.all([import('./sheets.ts'), loadFurther('/Second')])
  return sheets
}

export const OptionSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.OptionSheet })))
export const AdmitSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.AdmitSheet })))
export const ConfirmOption = lazy(() => loadSheets().then((sheets) => ({ default: sheets.ConfirmOption })))
export const PairsSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.PairsSheet })))
export const LimitsSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.LimitsSheet })))
export const ResultSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.ResultSheet })))
export const RulesSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.RulesSheet })))
export const StakeSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.StakeSheet })))
