/** Sheets of the desk, in one file that is loaded after it. */
export { OptionSheet } from '../../parts/option/order-sheet.tsx'
export { AdmitSheet } from './admit-sheet.tsx'
export { ConfirmOption } from './confirm-option.tsx'
export { LimitsSheet } from './limits-sheet.tsx'
export { PairsSheet } from './pairs-sheet.tsx'
export { ResultSheet } from './result-sheet.tsx'
export { RulesSheet } from './rules-sheet.tsx'
export { StakeSheet } from './stake-sheet.tsx'
