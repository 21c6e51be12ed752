import { byArea } from './by-area.ts'

export const texts = byArea(import.meta.glob(['./pt/*.json', '!./pt/agreement.json'], { eager: true, import: 'default' }))
