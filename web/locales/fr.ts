import { byArea } from './by-area.ts'

export const texts = byArea(import.meta.glob(['./fr/*.json', '!./fr/agreement.json'], { eager: true, import: 'default' }))
