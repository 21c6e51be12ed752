/** The sheets of the desk, loaded when the first of them opens or nothing else happens: the first load carries none. */
import { lazy } from 'react'

export function loadSheets() {
  return import('./sheets.ts')
}

export const OptionSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.OptionSheet })))
export const AdmitSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.AdmitSheet })))
export const ConfirmOption = lazy(() => loadSheets().then((sheets) => ({ default: sheets.ConfirmOption })))
export const PairsSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.PairsSheet })))
export const LimitsSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.LimitsSheet })))
export const ResultSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.ResultSheet })))
export const RulesSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.RulesSheet })))
export const StakeSheet = lazy(() => loadSheets().then((sheets) => ({ default: sheets.StakeSheet })))
