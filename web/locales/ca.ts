import { byArea } from './by-area.ts'

export const texts = byArea(import.meta.glob(['./ca/*.json', '!./ca/agreement.json'], { eager: true, import: 'default' }))
