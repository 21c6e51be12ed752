import { byArea } from './by-area.ts'

export const texts = byArea(import.meta.glob(['./it/*.json', '!./it/agreement.json'], { eager: true, import: 'default' }))
